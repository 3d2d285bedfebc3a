/** One thread of the pool, seen from the main thread: its batches, its heartbeat, its end. */
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

/** One being processed and one queued, so that a thread never waits for the main thread. */
const BATCHES_AT_ONCE = 2;
const HEAP_MB = 512;
/** Time to load all detectors: on a busy machine this may take longer than an object may stall. */
const MAX_LOADING_MS = 60_000;

export interface SentBatch {
  readonly queue: ScanQueue;
  readonly tasks: readonly Task[];
}

export interface ThreadEvents {
  answered(batch: SentBatch, answer: BatchDone): void;
  /** The source of the batch's scan could not be opened, or it rejected the credential. */
  failed(batch: SentBatch, error: SerializedError): void;
  /** Unanswered batches, in order; the thread was processing the object at `index` of the first one when it ended. */
  died(batches: readonly SentBatch[], index: number, reason: string): void;
}

export class DetectionThread {
  readonly #worker: Worker;
  readonly #heartbeat = new ThreadHeartbeat();
  readonly #batches: SentBatch[] = [];
  readonly #queues = new Map<number, ScanQueue>();
  readonly #events: ThreadEvents;
  /** Resolves when the thread has finished loading or has ended. */
  readonly loaded: Promise<void>;
  /** Slot of the thread in the pool. */
  readonly slot: number;
  #nextId = 0;
  #beats = 0;
  #idleSince = performance.now();
  #isLoaded = false;
  #reason = 'detection-thread-exited';
  #ended = false;

  constructor(file: URL, setup: Omit<ThreadSetup, 'pulse'>, events: ThreadEvents) {
    this.#events = events;
    this.slot = setup.place;
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
      this.#reason = `detection-crashed: ${shown(messageOf(error))}`;
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

  /** Objects sent to the thread without a result yet. */
  get pendingObjects(): number {
    return this.#batches.reduce((sum, { tasks }) => sum + tasks.length, 0);
  }

  get bytesUnderWay(): number {
    return this.#batches.length === 0 ? 0 : this.#heartbeat.bytesOfObject;
  }

  get hasWorked(): boolean {
    return this.#heartbeat.beats > 0;
  }

  /** Lets the thread load what the scan needs before its first batch. */
  openScan(scanQueue: ScanQueue): void {
    if (this.#queues.get(scanQueue.scan) === scanQueue) return;
    this.#queues.set(scanQueue.scan, scanQueue);
    this.#post({ is: 'open', scan: scanQueue.scan, setup: scanQueue.setup, gated: !scanQueue.gate.free });
  }

  sendBatch(queue: ScanQueue, tasks: readonly Task[]): void {
    if (this.#batches.length === 0) this.#idleSince = performance.now();
    this.#batches.push({ queue, tasks });
    this.#worker.ref();
    this.openScan(queue);
    const objects = tasks.map((task) => task.object);
    this.#post({ is: 'batch', id: this.#nextId++, scan: queue.scan, objects });
  }

  closeScan(scanQueue: ScanQueue): void {
    if (this.#queues.get(scanQueue.scan) !== scanQueue) return;
    this.#queues.delete(scanQueue.scan);
    this.#post({ is: 'close', scan: scanQueue.scan });
  }

  killIfStalled(stallMs: number): void {
    const moved = this.#heartbeat.beats !== this.#beats;
    const timeoutMs = this.#isLoaded ? stallMs : Math.max(stallMs, MAX_LOADING_MS);
    this.#beats = this.#heartbeat.beats;
    if (moved || this.#batches.length === 0) this.#idleSince = performance.now();
    else if (performance.now() - this.#idleSince > timeoutMs) {
      this.#idleSince = Number.POSITIVE_INFINITY; // terminate only once
      this.#reason = 'detection-stalled';
      void this.#worker.terminate();
    }
  }

  async terminate(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #handleMessage(message: Exclude<FromThread, { is: 'up' }>): void {
    if (message.is === 'done') this.#events.answered(this.#batches.shift()!, message);
    else if (message.is === 'failed') this.#events.failed(this.#batches.shift()!, message.error);
    else if (message.is === 'throttled') this.#queues.get(message.scan)?.gate.throttled(message.retryAfterMs);
    else void this.#askGate(this.#queues.get(message.scan), message);
  }

  async #askGate(scanQueue: ScanQueue | undefined, request: GateRequest): Promise<void> {
    // The queue was closed meanwhile: its objects are not needed any more.
    const passed = scanQueue ? await isAdmitted(scanQueue, request) : false;
    this.#post({ is: 'gate', id: request.id, passed });
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.died(this.#batches, this.#heartbeat.index, this.#reason);
  }
}

type GateRequest = Extract<FromThread, { is: 'ask' }>;

/**
 * Returns false if the object must not be read. A stopped scan releases its shards; any other error fails
 * the queue, or they would wait for ever.
 */
async function isAdmitted(scanQueue: ScanQueue, { kind, bytes }: GateRequest): Promise<boolean> {
  try {
    await scanQueue.gate.admit(kind, bytes, scanQueue.signal);
    return true;
  } catch (error) {
    if (!scanQueue.signal.aborted && !(error instanceof BudgetExhausted))
      scanQueue.fail(error instanceof SeineError ? error : new SeineError('internal', messageOf(error)));
    return false;
  }
}

/** Masked before it is truncated: a part of a value would not be recognised. */
function shown(message: string): string {
  const masked = new NameMasker(new Uint8Array(0)).message(message);
  return masked.replace(/\p{Cc}+/gu, ' ').slice(0, 200);
}
