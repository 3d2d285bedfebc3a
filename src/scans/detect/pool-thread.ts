/** One thread of the pool, seen from the main thread: the batches it has been given, its pulse, its end. */
import { Worker } from 'node:worker_threads';
import { messageOf, SeineError } from '../../base/errors.ts';
import { BudgetSpent } from '../../engine/budget/spent.ts';
import { NameMasker } from '../names/name-masker.ts';
import type { Lane, Task } from './lane.ts';
import {
  type BatchDone,
  type FromThread,
  type PlainError,
  Pulse,
  type ThreadSetup,
  type ToThread,
} from './protocol.ts';

/** One in hand and one at the door, so that a thread never waits for the main thread. */
const BATCHES_AT_ONCE = 2;
const HEAP_MB = 512;
/** It loads all detectors: on a busy machine that may take longer than an object may stand still. */
const LOADING_MS = 60_000;

export interface ThreadEvents {
  answered(tasks: readonly Task[], answer: BatchDone): void;
  /** The source of the batch's scan could not be opened, or it lets us in no more. */
  failed(tasks: readonly Task[], error: PlainError): void;
  /** `tasks` in order; the one at `place` was being looked at. */
  died(tasks: readonly Task[], place: number, reason: string): void;
}

export class Thread {
  readonly #worker: Worker;
  readonly #pulse = new Pulse();
  readonly #given: { id: number; tasks: readonly Task[] }[] = [];
  readonly #lanes = new Map<number, Lane>();
  readonly #events: ThreadEvents;
  /** Resolves when the thread has loaded what it needs, or has ended. */
  readonly up: Promise<void>;
  /** Among the threads of the pool. */
  readonly place: number;
  #nextId = 0;
  #beats = 0;
  #quietSince = performance.now();
  #isUp = false;
  #reason = 'its detection thread ended';
  #ended = false;

  constructor(file: URL, setup: Omit<ThreadSetup, 'pulse'>, events: ThreadEvents) {
    this.#events = events;
    this.place = setup.place;
    this.#worker = new Worker(file, {
      workerData: { ...setup, pulse: this.#pulse.buffer } satisfies ThreadSetup,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.up = promise;
    this.#worker.on('message', (message: FromThread) => {
      if (message.is !== 'up') return this.#heard(message);
      this.#isUp = true;
      this.#quietSince = performance.now();
      resolve();
    });
    this.#worker.on('error', (error) => {
      this.#reason = `crashed detection: ${shown(messageOf(error))}`;
    });
    this.#worker.on('exit', () => {
      resolve();
      this.#end();
    });
    this.#worker.unref();
  }

  get hungry(): boolean {
    return this.#given.length < BATCHES_AT_ONCE;
  }

  /** That it has been given and has not answered yet. */
  get objects(): number {
    return this.#given.reduce((sum, { tasks }) => sum + tasks.length, 0);
  }

  get bytesUnderWay(): number {
    return this.#given.length === 0 ? 0 : this.#pulse.bytesOfObject;
  }

  get everWorked(): boolean {
    return this.#pulse.beats > 0;
  }

  /** Its first batch will come: what it needs is loaded meanwhile. */
  open(lane: Lane): void {
    if (this.#lanes.get(lane.scan) === lane) return;
    this.#lanes.set(lane.scan, lane);
    this.#tell({ is: 'open', scan: lane.scan, setup: lane.setup, gated: !lane.gate.free });
  }

  give(lane: Lane, tasks: readonly Task[]): void {
    if (this.#given.length === 0) this.#quietSince = performance.now();
    const id = this.#nextId++;
    this.#given.push({ id, tasks });
    this.#worker.ref();
    this.open(lane);
    this.#tell({ is: 'batch', id, scan: lane.scan, objects: tasks.map((task) => task.object) });
  }

  forget(lane: Lane): void {
    if (this.#lanes.get(lane.scan) !== lane) return;
    this.#lanes.delete(lane.scan);
    this.#tell({ is: 'close', scan: lane.scan });
  }

  killIfStalled(stallMs: number): void {
    const moved = this.#pulse.beats !== this.#beats;
    const patienceMs = this.#isUp ? stallMs : Math.max(stallMs, LOADING_MS);
    this.#beats = this.#pulse.beats;
    if (moved || this.#given.length === 0) this.#quietSince = performance.now();
    else if (performance.now() - this.#quietSince > patienceMs) {
      this.#quietSince = Number.POSITIVE_INFINITY; // once is enough
      this.#reason = 'detection made no progress';
      void this.#worker.terminate();
    }
  }

  async terminate(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #heard(message: Exclude<FromThread, { is: 'up' }>): void {
    if (message.is === 'done') this.#events.answered(this.#given.shift()!.tasks, message);
    else if (message.is === 'failed') this.#events.failed(this.#given.shift()!.tasks, message.error);
    else if (message.is === 'throttled') this.#lanes.get(message.scan)?.gate.throttled(message.retryAfterMs);
    else void this.#askGate(this.#lanes.get(message.scan), message);
  }

  async #askGate(lane: Lane | undefined, asked: Question): Promise<void> {
    // A lane that was closed meanwhile: nobody waits for the object any more.
    const passed = lane ? await passes(lane, asked) : false;
    this.#tell({ is: 'gate', id: asked.id, passed });
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const tasks = this.#given.flatMap((batch) => batch.tasks);
    this.#events.died(tasks, this.#pulse.place, this.#reason);
  }
}

type Question = Extract<FromThread, { is: 'ask' }>;

/** False: the object is left alone. A stopped scan gives its shards back; for any other reason they would wait for ever. */
async function passes(lane: Lane, { kind, bytes }: Question): Promise<boolean> {
  try {
    await lane.gate.pass(kind, bytes, lane.signal);
    return true;
  } catch (error) {
    if (!lane.signal.aborted && !(error instanceof BudgetSpent))
      lane.broken(error instanceof SeineError ? error : new SeineError('internal', messageOf(error)));
    return false;
  }
}

/** Masked before it is cut: a part of a value would not be recognised. */
function shown(message: string): string {
  const masked = new NameMasker(new Uint8Array(0)).message(message);
  return masked.replace(/\p{Cc}+/gu, ' ').slice(0, 200);
}
