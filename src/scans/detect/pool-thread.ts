/** One thread of the pool, seen from the main thread: the batches it has been given, its pulse, its end. */
import { Worker } from 'node:worker_threads';
import { messageOf, SeineError } from '../../base/errors.ts';
import { BudgetExhausted } from '../../engine/budget/budget-exhausted.ts';
import { NameMasker } from '../names/name-masker.ts';
import {
  type BatchDone,
  type FromThread,
  type SerializedError,
  ThreadHeartbeat,
  type ThreadSetup,
  type ToThread,
} from './protocol.ts';
import type { ScanQueue, Task } from './scan-queue.ts';

/** One in hand and one at the door, so that a thread never waits for the main thread. */
const BATCHES_AT_ONCE = 2;
const HEAP_MB = 512;
/** It loads all detectors: on a busy machine that may take longer than an object may stand still. */
const MAX_LOADING_MS = 60_000;

export interface ThreadEvents {
  answered(tasks: readonly Task[], answer: BatchDone): void;
  /** The source of the batch's scan could not be opened, or it lets us in no more. */
  failed(tasks: readonly Task[], error: SerializedError): void;
  /** `tasks` in order; the one at `place` was being looked at. */
  died(tasks: readonly Task[], place: number, reason: string): void;
}

export class DetectionThread {
  readonly #worker: Worker;
  readonly #heartbeat = new ThreadHeartbeat();
  readonly #batches: { id: number; tasks: readonly Task[] }[] = [];
  readonly #queues = new Map<number, ScanQueue>();
  readonly #events: ThreadEvents;
  /** Resolves when the thread has loaded what it needs, or has ended. */
  readonly loaded: Promise<void>;
  /** Among the threads of the pool. */
  readonly place: number;
  #nextId = 0;
  #beats = 0;
  #idleSince = performance.now();
  #isLoaded = false;
  #reason = 'its detection thread ended';
  #ended = false;

  constructor(file: URL, setup: Omit<ThreadSetup, 'pulse'>, events: ThreadEvents) {
    this.#events = events;
    this.place = setup.place;
    this.#worker = new Worker(file, {
      workerData: { ...setup, pulse: this.#heartbeat.buffer } satisfies ThreadSetup,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.loaded = promise;
    this.#worker.on('message', (message: FromThread) => {
      if (message.is !== 'up') return this.#handleMessage(message);
      this.#isLoaded = true;
      this.#idleSince = performance.now();
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

  get hasCapacity(): boolean {
    return this.#batches.length < BATCHES_AT_ONCE;
  }

  /** That it has been given and has not answered yet. */
  get pendingObjects(): number {
    return this.#batches.reduce((sum, { tasks }) => sum + tasks.length, 0);
  }

  get bytesUnderWay(): number {
    return this.#batches.length === 0 ? 0 : this.#heartbeat.bytesOfObject;
  }

  get hasWorked(): boolean {
    return this.#heartbeat.beats > 0;
  }

  /** Its first batch will come: what it needs is loaded meanwhile. */
  openScan(lane: ScanQueue): void {
    if (this.#queues.get(lane.scan) === lane) return;
    this.#queues.set(lane.scan, lane);
    this.#post({ is: 'open', scan: lane.scan, setup: lane.setup, gated: !lane.gate.free });
  }

  sendBatch(lane: ScanQueue, tasks: readonly Task[]): void {
    if (this.#batches.length === 0) this.#idleSince = performance.now();
    const id = this.#nextId++;
    this.#batches.push({ id, tasks });
    this.#worker.ref();
    this.openScan(lane);
    this.#post({ is: 'batch', id, scan: lane.scan, objects: tasks.map((task) => task.object) });
  }

  closeScan(lane: ScanQueue): void {
    if (this.#queues.get(lane.scan) !== lane) return;
    this.#queues.delete(lane.scan);
    this.#post({ is: 'close', scan: lane.scan });
  }

  killIfStalled(stallMs: number): void {
    const moved = this.#heartbeat.beats !== this.#beats;
    const patienceMs = this.#isLoaded ? stallMs : Math.max(stallMs, MAX_LOADING_MS);
    this.#beats = this.#heartbeat.beats;
    if (moved || this.#batches.length === 0) this.#idleSince = performance.now();
    else if (performance.now() - this.#idleSince > patienceMs) {
      this.#idleSince = Number.POSITIVE_INFINITY; // once is enough
      this.#reason = 'detection made no progress';
      void this.#worker.terminate();
    }
  }

  async terminate(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #handleMessage(message: Exclude<FromThread, { is: 'up' }>): void {
    if (message.is === 'done') this.#events.answered(this.#batches.shift()!.tasks, message);
    else if (message.is === 'failed') this.#events.failed(this.#batches.shift()!.tasks, message.error);
    else if (message.is === 'throttled') this.#queues.get(message.scan)?.gate.throttled(message.retryAfterMs);
    else void this.#askGate(this.#queues.get(message.scan), message);
  }

  async #askGate(lane: ScanQueue | undefined, asked: GateRequest): Promise<void> {
    // A lane that was closed meanwhile: nobody waits for the object any more.
    const passed = lane ? await isAdmitted(lane, asked) : false;
    this.#post({ is: 'gate', id: asked.id, passed });
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const tasks = this.#batches.flatMap((batch) => batch.tasks);
    this.#events.died(tasks, this.#heartbeat.index, this.#reason);
  }
}

type GateRequest = Extract<FromThread, { is: 'ask' }>;

/** False: the object is left alone. A stopped scan gives its shards back; for any other reason they would wait for ever. */
async function isAdmitted(lane: ScanQueue, { kind, bytes }: GateRequest): Promise<boolean> {
  try {
    await lane.gate.admit(kind, bytes, lane.signal);
    return true;
  } catch (error) {
    if (!lane.signal.aborted && !(error instanceof BudgetExhausted))
      lane.fail(error instanceof SeineError ? error : new SeineError('internal', messageOf(error)));
    return false;
  }
}

/** Masked before it is cut: a part of a value would not be recognised. */
function shown(message: string): string {
  const masked = new NameMasker(new Uint8Array(0)).message(message);
  return masked.replace(/\p{Cc}+/gu, ' ').slice(0, 200);
}
