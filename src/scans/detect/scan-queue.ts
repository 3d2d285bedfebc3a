/**
 * A scan's queue to the detection threads, which all scans of the process share: its waiting objects, its
 * unwritten findings, its gate. An object that can't be read for now is retried later, then it is dead. If
 * other objects succeed meanwhile, the failure is attributed to the object; if there are none, the source
 * is probed. Failures during an outage of the source don't count, and if it persists the scan's shards are
 * requeued.
 */
import { SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { RequestGate } from '../../sources/request-gate.ts';
import type { SourceObject } from '../../sources/source.ts';
import { type Inspection, notRead } from '../results/inspection.ts';
import { reasonText } from '../results/reason-code.ts';
import { PrefetchWindow } from './prefetch-window.ts';
import type { ScanSetup } from './protocol.ts';

export const BATCH_OBJECTS = 64;
export const BATCH_BYTES = 1 << 20;
/** Limit of unwritten findings: above it no new objects are started. */
const MAX_UNWRITTEN = 20_000;
/** Above this number of findings batches are small, to bound the work in flight. */
const DENSE_FINDINGS = 2000;
const DENSE_BATCH_BYTES = 128 << 10;
const ROOM_TIMEOUT_MS = 200;
const MAX_OUTAGES = 6;
const MAX_PAUSE_MS = 20_000;

export interface Task {
  readonly queue: ScanQueue;
  readonly object: SourceObject;
  readonly done: (inspection: Inspection) => void;
  readonly attempts: number;
  /** Failed attempts during which no other object succeeded. */
  readonly outages?: number;
  /** Number of objects of the scan that had succeeded at the first failure. */
  readonly successesBefore?: number;
  /** Why the object's first thread ended: it is retried alone. */
  readonly deathReason?: string;
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
  /**
   * Adds to, or subtracts from, the number of unwritten findings in memory: it bounds memory for dense
   * data.
   */
  addUnwritten(findings: number): void;
  markWritten(findings: number): void;
  /**
   * Starts a batch regardless of the limit of unwritten findings: called when nothing can be written
   * because the first object is still queued here.
   */
  forceDispatch(): void;
}

/** The interface of a queue to the pool. */
export interface QueueThreads {
  readonly count: number;
  /** Bounds of the objects that a queue prefetches; the minimum is the read concurrency. */
  readonly prefetch: { readonly min: number; readonly max: number };
  readonly fault: SeineError | null;
  ready(): Promise<void>;
  dispatch(): void;
  /** Sends the next batch of this queue to a free thread, if there is one. */
  forceDispatch(scanQueue: ScanQueue): void;
  remove(scanQueue: ScanQueue): void;
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
  readonly #threads: QueueThreads;
  readonly #window: PrefetchWindow;
  #waiting: Task[] = [];
  #unwritten = 0;
  #dense = false; // whether recent results had many findings
  #successes = 0; // objects that could be read
  readonly #roomWaiters = new Set<() => void>();
  #reachable: Promise<boolean> | null = null;
  #fault: SeineError | null = null;

  constructor(threads: QueueThreads, options: ScanQueueOptions) {
    this.#threads = threads;
    this.#window = new PrefetchWindow(threads.prefetch);
    this.scan = options.scan;
    this.setup = options.setup;
    this.gate = options.gate;
    this.signal = options.signal;
    this.#maxRetries = options.maxRetries;
    this.#isReachable = options.isSourceReachable;
  }

  /** Set when no object can be processed: threads can't start, or not open the source. */
  get fault(): SeineError | null {
    return this.#fault ?? this.#threads.fault;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get full(): boolean {
    return this.#waiting.length >= this.#window.size;
  }

  get hasNext(): boolean {
    return this.#waiting.length > 0 && this.#unwritten <= MAX_UNWRITTEN;
  }

  waitForRoom(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#threads.dispatch(); // even an incomplete batch: no more objects are submitted before these are dispatched
      if (!this.full || this.fault || signal.aborted) return resolve();
      const goOn = () => {
        clearTimeout(patience);
        this.#roomWaiters.delete(goOn);
        resolve();
      };
      const patience = setTimeout(goOn, ROOM_TIMEOUT_MS).unref();
      this.#roomWaiters.add(goOn);
    });
  }

  ready(): Promise<void> {
    return this.#threads.ready();
  }

  submit(object: SourceObject, done: (inspection: Inspection) => void): void {
    this.#window.recordStart();
    this.#waiting.push({ queue: this, object, done, attempts: 1 });
    if (this.#waiting.length >= this.#batchSize || object.size > BATCH_BYTES) this.#threads.dispatch();
  }

  /** No more objects follow for now: don't wait for a full batch. */
  flush(): void {
    this.#threads.dispatch();
  }

  forceDispatch(): void {
    if (this.#waiting.length > 0) this.#threads.forceDispatch(this);
  }

  addUnwritten(findings: number): void {
    this.#unwritten += findings;
  }

  markWritten(findings: number): void {
    this.#unwritten -= findings;
    this.#threads.dispatch();
  }

  /** Takes the next waiting objects; one that is suspected of crashing a thread goes alone. */
  nextBatch(): Task[] {
    const [most, mostBytes] = [this.#batchSize, this.#dense ? DENSE_BATCH_BYTES : BATCH_BYTES];
    let bytes = 0;
    let count = 0;
    for (const task of this.#waiting) {
      const tooMuch = count > 0 && (bytes + task.object.size > mostBytes || task.deathReason !== undefined);
      if (tooMuch || count >= most) break;
      bytes += task.object.size;
      count++;
      if (task.deathReason !== undefined) break;
    }
    return this.#waiting.splice(0, count);
  }

  /**
   * Two batches per thread make up the prefetch: on a slow store a full-size batch would be answered
   * seconds later.
   */
  get #batchSize(): number {
    return Math.min(BATCH_OBJECTS, Math.ceil(this.#window.size / (2 * this.#threads.count)));
  }

  completeTask(task: Task, inspection: Inspection): void {
    this.#window.recordEnd();
    if (!inspection.transient) {
      this.#successes++;
      return task.done(inspection);
    }
    void this.#failed(task, inspection);
  }

  async #failed(task: Task, inspection: Inspection): Promise<void> {
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

  recordDensity(findings: number): void {
    this.#dense = findings > DENSE_FINDINGS;
  }

  requeue(tasks: readonly Task[]): void {
    if (!this.signal.aborted) this.#waiting.unshift(...tasks);
  }

  fail(fault: SeineError): void {
    this.#fault = fault;
    this.notifyRoom();
  }

  notifyRoom(): void {
    if (this.full && !this.fault) return;
    for (const goOn of this.#roomWaiters) goOn();
  }

  /** Ends the work on the scan. */
  close(): void {
    this.#waiting = [];
    this.#threads.remove(this);
  }

  #retryLater(task: Task): void {
    const giveUp = () => clearTimeout(pause);
    const pause = setTimeout(
      () => {
        this.signal.removeEventListener('abort', giveUp); // or the task and its shard would be held as long as the queue
        this.requeue([task]);
        this.#threads.dispatch();
      },
      backoff(task.attempts + (task.outages ?? 0), { mostMs: MAX_PAUSE_MS }),
    );
    this.signal.addEventListener('abort', giveUp, { once: true });
  }
}

function reasonOf({ evidence, reason }: Inspection): string {
  return evidence?.error ?? reasonText(reason);
}

export function seineError({ kind, message, hint, retry }: SeineErrorLike): SeineError {
  return new SeineError(kind, message, { retry, ...(hint !== undefined && { hint }) });
}
type SeineErrorLike = Pick<SeineError, 'kind' | 'message' | 'hint' | 'retry'>;
