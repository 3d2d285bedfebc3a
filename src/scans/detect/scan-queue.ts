/**
 * The objects of one scan that wait for a detection thread. The pool pulls batches from its queues and returns their results; a queue
 * only signals that it has work.
 *
 * An object that can't be read for now is retried later; when its retries are used up it fails. If other objects succeed meanwhile, the
 * failure is attributed to the object; if there are none, the source is probed. Failures during an outage of the source don't count, and
 * if it persists the scan's shards are requeued.
 */
import { SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { RequestGate } from '../../sources/request-gate.ts';
import type { SourceObject } from '../../sources/source.ts';
import { clean, type Inspection, notRead } from '../results/inspection.ts';
import { reasonText } from '../results/reason-code.ts';
import { FindingsBackpressure } from './findings-backpressure.ts';
import { PrefetchWindow } from './prefetch-window.ts';
import type { BatchDone, ScanSetup } from './protocol.ts';

export const BATCH_OBJECTS = 64;
const BATCH_BYTES = 1 << 20;
const ROOM_TIMEOUT_MS = 200;
const MAX_OUTAGES = 6;
const MAX_PAUSE_MS = 20_000;

export interface Task {
  readonly object: SourceObject;
  readonly done: (inspection: Inspection) => void;
  readonly attempts: number;
  /** Failed attempts during which no other object succeeded. */
  readonly outages?: number;
  /** Number of objects of the scan that had succeeded at the first failure. */
  readonly successesBefore?: number;
  /** Why the thread of the first attempt ended: the object is retried in a batch of its own. */
  readonly crashReason?: string;
}

/** The interface of a shard to the inspection of its objects. */
export interface InspectionQueue {
  readonly full: boolean;
  readonly fault: Error | null;
  /** Resolves when there may be room, and after a short time in any case: the caller must check again. */
  waitForRoom(signal: AbortSignal): Promise<void>;
  /** Resolves when objects can be inspected without delay. */
  ready(): Promise<void>;
  submit(object: SourceObject, done: (inspection: Inspection) => void): void;
  flush(): void;
  /** Counts findings in memory that are not written yet: see FindingsBackpressure. */
  addUnwritten(findings: number): void;
  markWritten(findings: number): void;
  /**
   * Starts a batch regardless of the limit of unwritten findings: called when nothing can be written
   * because the first object is still queued here.
   */
  forceDispatch(): void;
}

/** What a queue knows of the pool that pulls from it. */
export interface QueueConsumer {
  readonly threads: number;
  /** Bounds of the objects that a queue prefetches; the minimum is the read concurrency. */
  readonly prefetch: { readonly min: number; readonly max: number };
  /** Signals that a batch can be pulled. */
  readonly workAvailable: () => void;
  /** Starts a thread if there is none; resolves when one has loaded. */
  readonly threadReady: () => Promise<void>;
}

export interface ScanQueueOptions {
  readonly scan: number;
  readonly setup: ScanSetup;
  readonly gate: RequestGate;
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  /** Whether the source responds at all. */
  readonly isSourceReachable: () => Promise<boolean>;
}

export class ScanQueue implements InspectionQueue {
  readonly scan: number;
  readonly setup: ScanSetup;
  readonly gate: RequestGate;
  readonly signal: AbortSignal;
  readonly #maxRetries: number;
  readonly #isReachable: () => Promise<boolean>;
  readonly #consumer: QueueConsumer;
  readonly #window: PrefetchWindow;
  readonly #backpressure = new FindingsBackpressure();
  #waiting: Task[] = [];
  #successes = 0; // objects that could be read
  readonly #roomWaiters = new Set<() => void>();
  #reachable: Promise<boolean> | null = null;
  #fault: SeineError | null = null;

  constructor(consumer: QueueConsumer, options: ScanQueueOptions) {
    this.#consumer = consumer;
    this.#window = new PrefetchWindow(consumer.prefetch);
    this.scan = options.scan;
    this.setup = options.setup;
    this.gate = options.gate;
    this.signal = options.signal;
    this.#maxRetries = options.maxRetries;
    this.#isReachable = options.isSourceReachable;
  }

  /** Set when no object can be processed: threads can't start, or not open the source. */
  get fault(): SeineError | null {
    return this.#fault;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get full(): boolean {
    return this.#waiting.length >= this.#window.size;
  }

  get hasBatch(): boolean {
    return this.#waiting.length > 0 && !this.#backpressure.blocks;
  }

  waitForRoom(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.flush(); // even an incomplete batch: no more objects are submitted before these are dispatched
      if (!this.full || this.fault || signal.aborted) return resolve();
      const finish = () => {
        clearTimeout(timeout);
        this.#roomWaiters.delete(finish);
        resolve();
      };
      const timeout = setTimeout(finish, ROOM_TIMEOUT_MS).unref();
      this.#roomWaiters.add(finish);
    });
  }

  ready(): Promise<void> {
    return this.#consumer.threadReady();
  }

  submit(object: SourceObject, done: (inspection: Inspection) => void): void {
    this.#window.recordStart();
    this.#waiting.push({ object, done, attempts: 1 });
    if (this.#waiting.length >= this.#batchSize || object.size > BATCH_BYTES) this.flush();
  }

  /** No more objects follow for now: don't wait for a full batch. */
  flush(): void {
    this.#consumer.workAvailable();
  }

  forceDispatch(): void {
    if (this.#waiting.length > 0) this.#backpressure.suspend(this.#consumer.workAvailable);
  }

  addUnwritten(findings: number): void {
    this.#backpressure.add(findings);
  }

  markWritten(findings: number): void {
    this.#backpressure.remove(findings);
    this.flush();
  }

  /** Takes the next waiting objects; one that is suspected of crashing a thread goes alone. */
  nextBatch(): Task[] {
    const [maxObjects, maxBytes] = [this.#batchSize, this.#backpressure.limitBatch(BATCH_BYTES)];
    let bytes = 0;
    let count = 0;
    for (const task of this.#waiting) {
      const tooMuch = count > 0 && (bytes + task.object.size > maxBytes || task.crashReason !== undefined);
      if (tooMuch || count >= maxObjects) break;
      bytes += task.object.size;
      count++;
      if (task.crashReason !== undefined) break;
    }
    this.#backpressure.batchTaken();
    const batch = this.#waiting.splice(0, count);
    this.#wakeRoomWaiters();
    return batch;
  }

  /**
   * Two batches per thread make up the prefetch: on a slow store a full-size batch would be answered
   * seconds later.
   */
  get #batchSize(): number {
    return Math.min(BATCH_OBJECTS, Math.ceil(this.#window.size / (2 * this.#consumer.threads)));
  }

  completeBatch(batch: readonly Task[], answer: BatchDone): void {
    const inspections = Array.from(answer.bytesRead, clean);
    let findings = 0;
    for (const { place: index, inspection } of answer.notable) {
      inspections[index] = inspection;
      findings += inspection.findings.length;
    }
    this.#backpressure.recordBatch(findings);
    const stopped = new Set(answer.stopped);
    for (const [index, task] of batch.entries())
      if (!stopped.has(index)) this.completeTask(task, inspections[index]!);
  }

  completeTask(task: Task, inspection: Inspection): void {
    this.#window.recordEnd();
    this.#wakeRoomWaiters();
    if (!inspection.transient) {
      this.#successes++;
      return task.done(inspection);
    }
    void this.#retryOrFail(task, inspection);
  }

  /** Nothing is retried once the scan is stopped. */
  requeue(tasks: readonly Task[]): void {
    if (!this.signal.aborted) this.#waiting.unshift(...tasks);
  }

  /** The thread ended while it processed the object at `index`: that one is retried alone, and fails the second time. */
  requeueCrashed(batch: readonly Task[], index: number, reason: string): void {
    const suspect = batch[index];
    this.requeue(batch.filter((task) => task !== suspect));
    if (suspect?.crashReason !== undefined)
      suspect.done({ ...notRead('dead', reason, false), evidence: { error: reason, attempts: 2 } });
    else if (suspect) this.requeue([{ ...suspect, crashReason: reason }]);
  }

  async #retryOrFail(task: Task, inspection: Inspection): Promise<void> {
    const { successesBefore = this.#successes, outages = 0, attempts } = task;
    const others = this.#successes > successesBefore;
    if (!others && !(await this.#isSourceReachable())) {
      if (outages >= MAX_OUTAGES) return this.fail(new SeineError('unavailable', reasonOf(inspection)));
      return this.#retryLater({ ...task, successesBefore, outages: outages + 1 });
    }
    if (attempts <= this.#maxRetries)
      return this.#retryLater({ ...task, successesBefore, attempts: attempts + 1 });
    const evidence = { ...inspection.evidence, attempts };
    const ended = inspection.outcome === 'partial' ? inspection : notRead('dead', inspection.reason, false);
    task.done({ ...ended, evidence });
  }

  /**
   * In an outage all objects fail at once: they share one probe, which may be retried for a minute and
   * costs money.
   */
  #isSourceReachable(): Promise<boolean> {
    this.#reachable ??= this.#isReachable().finally(() => {
      this.#reachable = null;
    });
    return this.#reachable;
  }

  fail(fault: SeineError): void {
    this.#fault = fault;
    this.#wakeRoomWaiters();
  }

  /** Discards the waiting objects. */
  close(): void {
    this.#waiting = [];
    this.#wakeRoomWaiters();
  }

  #wakeRoomWaiters(): void {
    if (this.full && !this.fault) return;
    for (const wake of this.#roomWaiters) wake();
  }

  #retryLater(task: Task): void {
    const cancel = () => clearTimeout(pause);
    const pause = setTimeout(
      () => {
        this.signal.removeEventListener('abort', cancel); // or the task and its shard would be held as long as the queue
        this.requeue([task]);
        this.flush();
      },
      backoff(task.attempts + (task.outages ?? 0), { maxMs: MAX_PAUSE_MS }),
    );
    this.signal.addEventListener('abort', cancel, { once: true });
  }
}

function reasonOf({ evidence, reason }: Inspection): string {
  return evidence?.error ?? reasonText(reason);
}
