/**
 * A scan's way through the detection threads, which all scans of the process share: its objects that wait, its findings that
 * are not written yet, its gate. An object that could not be read for now is tried again after a while, then it is dead. Whether it
 * is the object's fault shows by others that go well meanwhile; if there are none, the source is asked. While that is away nothing is
 * held against the object, and when it stays away the scan's shards are put back.
 */
import { SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Gate } from '../../sources/gate.ts';
import type { SourceObject } from '../../sources/source.ts';
import { type Inspection, notRead } from '../inspection.ts';
import { Flow } from './flow.ts';
import type { ScanSetup } from './protocol.ts';

export const BATCH_OBJECTS = 64;
export const BATCH_BYTES = 1 << 20;
/** Findings that wait to be written: beyond, no new objects are begun. */
const MUCH_UNWRITTEN = 20_000;
/** Where findings come thick, batches are small, so that what is under way stays little. */
const DENSE = 2000;
const DENSE_BATCH_BYTES = 128 << 10;
const ROOM_PATIENCE_MS = 200;
const MOST_OUTAGES = 6;
const LONGEST_PAUSE_MS = 20_000;

export interface Task {
  readonly lane: Lane;
  readonly object: SourceObject;
  readonly done: (inspection: Inspection) => void;
  readonly attempts: number;
  /** Tries that failed while nothing else went well either. */
  readonly outages?: number;
  /** How many objects of the scan had gone well when it first failed. */
  readonly wellBefore?: number;
  /** Why the object's first thread died: it goes alone now. */
  readonly blamed?: string;
}

/** What a shard needs of whoever looks at its objects. */
export interface ObjectInspectors {
  readonly full: boolean;
  readonly fault: Error | null;
  /** Resolves when there may be room again, and after a moment in any case: the caller looks again. */
  room(signal: AbortSignal): Promise<void>;
  /** Resolves when objects can be looked at without a delay. */
  ready(): Promise<void>;
  submit(object: SourceObject, done: (inspection: Inspection) => void): void;
  flush(): void;
  /** So many findings are in memory now, or have been written: memory stays bounded however dense the data. */
  found(findings: number): void;
  wrote(findings: number): void;
  /** Nothing could be written, because what comes first still waits here: begin it, however much is unwritten. */
  push(): void;
}

/** What a lane needs of the pool. */
export interface Threads {
  readonly count: number;
  /** Objects that may wait in a lane: at least what is read at once, and at most. */
  readonly ahead: { readonly least: number; readonly most: number };
  readonly fault: SeineError | null;
  ready(): Promise<void>;
  dispatch(): void;
  /** Gives the next batch of this lane to a free thread, if there is one. */
  push(lane: Lane): void;
  forget(lane: Lane): void;
}

export interface LaneOptions {
  readonly scan: number;
  readonly setup: ScanSetup;
  readonly gate: Gate;
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  /** Whether the source answers at all. */
  readonly answers: () => Promise<boolean>;
}

export class Lane implements ObjectInspectors {
  readonly scan: number;
  readonly setup: ScanSetup;
  readonly gate: Gate;
  readonly signal: AbortSignal;
  readonly #maxRetries: number;
  readonly #answers: () => Promise<boolean>;
  readonly #threads: Threads;
  readonly #flow: Flow;
  #waiting: Task[] = [];
  #unwritten = 0;
  #dense = false; // as the last answers were
  #well = 0; // objects that could be read
  readonly #wantRoom = new Set<() => void>();
  #asking: Promise<boolean> | null = null;
  #fault: SeineError | null = null;

  constructor(threads: Threads, options: LaneOptions) {
    this.#threads = threads;
    this.#flow = new Flow(threads.ahead);
    this.scan = options.scan;
    this.setup = options.setup;
    this.gate = options.gate;
    this.signal = options.signal;
    this.#maxRetries = options.maxRetries;
    this.#answers = options.answers;
  }

  /** Set when nothing will ever be done: threads can't start, or not open the source. */
  get fault(): SeineError | null {
    return this.#fault ?? this.#threads.fault;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get full(): boolean {
    return this.#waiting.length >= this.#flow.room;
  }

  get hasNext(): boolean {
    return this.#waiting.length > 0 && this.#unwritten <= MUCH_UNWRITTEN;
  }

  room(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#threads.dispatch(); // however few there are: nothing more comes before these are on their way
      if (!this.full || this.fault || signal.aborted) return resolve();
      const goOn = () => {
        clearTimeout(patience);
        this.#wantRoom.delete(goOn);
        resolve();
      };
      const patience = setTimeout(goOn, ROOM_PATIENCE_MS).unref();
      this.#wantRoom.add(goOn);
    });
  }

  ready(): Promise<void> {
    return this.#threads.ready();
  }

  submit(object: SourceObject, done: (inspection: Inspection) => void): void {
    this.#flow.begun();
    this.#waiting.push({ lane: this, object, done, attempts: 1 });
    if (this.#waiting.length >= this.#batch || object.size > BATCH_BYTES) this.#threads.dispatch();
  }

  /** No more is coming for now: don't wait for a full batch. */
  flush(): void {
    this.#threads.dispatch();
  }

  push(): void {
    if (this.#waiting.length > 0) this.#threads.push(this);
  }

  found(findings: number): void {
    this.#unwritten += findings;
  }

  wrote(findings: number): void {
    this.#unwritten -= findings;
    this.#threads.dispatch();
  }

  /** Of the waiting ones; one that is blamed for a thread's death goes alone. */
  nextBatch(): Task[] {
    const [most, mostBytes] = [this.#batch, this.#dense ? DENSE_BATCH_BYTES : BATCH_BYTES];
    let bytes = 0;
    let count = 0;
    for (const task of this.#waiting) {
      const tooMuch = count > 0 && (bytes + task.object.size > mostBytes || task.blamed !== undefined);
      if (tooMuch || count >= most) break;
      bytes += task.object.size;
      count++;
      if (task.blamed !== undefined) break;
    }
    return this.#waiting.splice(0, count);
  }

  /** Two for each thread are as much as waits: on a slow store a full one would be answered seconds later. */
  get #batch(): number {
    return Math.min(BATCH_OBJECTS, Math.ceil(this.#flow.room / (2 * this.#threads.count)));
  }

  answered(task: Task, inspection: Inspection): void {
    this.#flow.ended();
    if (!inspection.transient) {
      this.#well++;
      return task.done(inspection);
    }
    void this.#failed(task, inspection);
  }

  async #failed(task: Task, inspection: Inspection): Promise<void> {
    const { wellBefore = this.#well, outages = 0, attempts } = task;
    const others = this.#well > wellBefore;
    if (!others && !(await this.#isSourceThere())) {
      if (outages >= MOST_OUTAGES) return this.broken(new SeineError('unavailable', reasonOf(inspection)));
      return this.#again({ ...task, wellBefore, outages: outages + 1 });
    }
    if (attempts <= this.#maxRetries) return this.#again({ ...task, wellBefore, attempts: attempts + 1 });
    const evidence = { ...inspection.evidence, attempts };
    const ended = inspection.outcome === 'partial' ? inspection : notRead('dead', inspection.reason, false);
    task.done({ ...ended, evidence });
  }

  /** In an outage everything fails at once: one question, which may be tried for a minute and costs money, is enough for all. */
  #isSourceThere(): Promise<boolean> {
    this.#asking ??= this.#answers().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  density(findings: number): void {
    this.#dense = findings > DENSE;
  }

  putBack(tasks: readonly Task[]): void {
    if (!this.signal.aborted) this.#waiting.unshift(...tasks);
  }

  broken(fault: SeineError): void {
    this.#fault = fault;
    this.makeRoom();
  }

  makeRoom(): void {
    if (this.full && !this.fault) return;
    for (const goOn of this.#wantRoom) goOn();
  }

  /** The scan is not worked on any more. */
  close(): void {
    this.#waiting = [];
    this.#threads.forget(this);
  }

  #again(task: Task): void {
    const giveUp = () => clearTimeout(pause);
    const pause = setTimeout(
      () => {
        this.signal.removeEventListener('abort', giveUp); // or the task and its shard would be held as long as the lane
        this.putBack([task]);
        this.#threads.dispatch();
      },
      backoff(task.attempts + (task.outages ?? 0), { mostMs: LONGEST_PAUSE_MS }),
    );
    this.signal.addEventListener('abort', giveUp, { once: true });
  }
}

function reasonOf({ evidence, reason }: Inspection): string {
  return evidence?.error ?? reason;
}

export function seineError({ kind, message, hint, retry }: SeineErrorLike): SeineError {
  return new SeineError(kind, message, { retry, ...(hint !== undefined && { hint }) });
}
type SeineErrorLike = Pick<SeineError, 'kind' | 'message' | 'hint' | 'retry'>;
