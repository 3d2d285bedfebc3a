/**
 * Records the running function of a workflow in shared memory that the watchdog's thread reads while this thread is blocked (runner/watchdog.ts).
 * Without a watchdog nothing is written. Folding is the fast path: the workflow is written once for all of its events, and two numbers for each.
 */

const CALLBACKS = [
  'none',
  'evolve',
  'upcast',
  'initial',
  'decide',
  'react',
  'receive',
  'tags',
  'attributes',
  'migrateState',
  'until',
  'schema',
  'limitKey',
  'action',
  'apply',
] as const;
type Callback = (typeof CALLBACKS)[number];

/** A `CodeLocation`. */
interface Place {
  readonly callback: Callback;
  readonly workflow: string;
  readonly subject: string;
  readonly id?: string | undefined;
}

const NUMBERS = new Map<Callback, number>(CALLBACKS.map((callback, n) => [callback, n]));
const EVOLVE = NUMBERS.get('evolve')!;
const UPCAST = NUMBERS.get('upcast')!;

/** Offsets in the shared memory. */
const [CALLBACK, VERSION, LENGTH, PULSE, NUMBERS_AT_ALL] = [0, 1, 2, 3, 4];
const MAX_BYTES = 1000;

/** The shared memory of a process, and its decoder. */
export class RunningCode {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #text: Buffer;

  constructor(memory = new SharedArrayBuffer(4 * NUMBERS_AT_ALL + MAX_BYTES)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory, 0, NUMBERS_AT_ALL);
    this.#text = Buffer.from(memory, 4 * NUMBERS_AT_ALL, MAX_BYTES);
  }

  /** Heartbeat of the event loop. */
  beat(): void {
    Atomics.add(this.#numbers, PULSE, 1);
  }

  get pulse(): number {
    return Atomics.load(this.#numbers, PULSE);
  }

  write(callback: number, text: string | null, version = 0): void {
    if (text !== null) this.#numbers[LENGTH] = this.#text.write(text);
    this.#numbers[VERSION] = version;
    this.#numbers[CALLBACK] = callback;
  }

  /** Null: no function of a workflow. */
  get shown(): string | null {
    const [callback, version, length] = this.#numbers;
    if (callback === 0) return null;
    const text = this.#text.toString('utf8', 0, length);
    return `${CALLBACKS[callback!]} of ${text}${version ? `, event ${version}` : ''}`;
  }
}

let watched: RunningCode | null = null;

/** Sets the running function; null: none. */
export function watchCode(code: RunningCode | null): void {
  watched = code;
}

export function entering(place: () => Place): void {
  if (watched === null) return;
  const { callback, workflow, id, subject } = place();
  watched.write(NUMBERS.get(callback)!, `${workflow}${id === undefined ? '' : ` ${id}`} on ${subject}`);
}

/** The events that follow are of this workflow. */
export function enteringFold(workflow: string, id: string | undefined): void {
  watched?.write(0, id === undefined ? workflow : `${workflow} ${id}`);
}

export function enteringEvent(callback: 'evolve' | 'upcast', version: number): void {
  watched?.write(callback === 'evolve' ? EVOLVE : UPCAST, null, version);
}

export function leaving(): void {
  watched?.write(0, null);
}

/** The synchronous part of code that is not called through `callUserCode`. */
export function runCode<T>(
  callback: 'schema' | 'limitKey' | 'action' | 'apply',
  of: string,
  call: () => T,
): T {
  watched?.write(NUMBERS.get(callback)!, of);
  try {
    return call();
  } finally {
    leaving();
  }
}
