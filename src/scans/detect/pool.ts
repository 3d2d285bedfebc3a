/**
 * The detection threads of this process, shared by all scans it works on. Objects are submitted one by one
 * and sent in batches, so that small ones don't each cost a message; scans take turns. A thread that
 * crashes or hangs affects one object: it is retried alone once, then it is dead; the rest of its batch
 * goes to a new thread.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { clean, notRead } from '../results/inspection.ts';
import { reasonText } from '../results/reason-code.ts';
import { DetectionThread } from './pool-thread.ts';
import type { BatchDone, SerializedError } from './protocol.ts';
import { memoryFor, ReaderMemoryLimiter } from './reader-memory.ts';
import {
  BATCH_OBJECTS,
  type QueueThreads,
  ScanQueue,
  type ScanQueueOptions,
  seineError,
  type Task,
} from './scan-queue.ts';

const WATCHDOG_INTERVAL_MS = 1000;
const READS_AT_ONCE = 16;
const THREAD = new URL('./thread.ts', import.meta.url);

export interface PoolOptions {
  readonly stallMs?: number;
  readonly file?: URL;
  /** Concurrent reads of a remote source, for each thread. */
  readonly readsAtOnce?: number;
  /** Limit for this process and its reader processes together. */
  readonly memoryMegabytes?: number;
}

export class DetectionPool implements QueueThreads {
  readonly #stallMs: number;
  readonly #file: URL;
  readonly #readsAtOnce: number;
  readonly #threads: DetectionThread[] = [];
  readonly count: number;
  readonly prefetch: QueueThreads['prefetch'];
  readonly #watchdog: NodeJS.Timeout;
  readonly #memory: ReaderMemoryLimiter;
  #queues: ScanQueue[] = [];
  /** Set when threads can't start: then no object can be processed. */
  fault: SeineError | null = null;

  constructor(threads: number, options: PoolOptions = {}) {
    this.#stallMs = options.stallMs ?? 60_000;
    this.#file = options.file ?? THREAD;
    this.#readsAtOnce = options.readsAtOnce ?? READS_AT_ONCE;
    this.count = threads;
    this.#memory = new ReaderMemoryLimiter(threads, options.memoryMegabytes ?? memoryFor(threads));
    this.prefetch = { min: 2 * this.#readsAtOnce * threads, max: threads * BATCH_OBJECTS * 4 };
    this.#watchdog = setInterval(
      () => this.#checkThreads(),
      Math.min(WATCHDOG_INTERVAL_MS, this.#stallMs / 2),
    );
    this.#watchdog.unref();
  }

  openQueue(options: ScanQueueOptions): ScanQueue {
    const scanQueue = new ScanQueue(this, options);
    this.#queues.push(scanQueue);
    for (const thread of this.#threads) thread.openScan(scanQueue);
    return scanQueue;
  }

  get running(): number {
    return this.#threads.length;
  }

  /** Bytes read of objects that have not ended yet. */
  get bytesUnderWay(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.bytesUnderWay, 0);
  }

  /** Twice the number of concurrent reads is queued. */
  get busy(): boolean {
    const given = this.#threads.reduce((sum, thread) => sum + thread.pendingObjects, 0);
    const waiting = this.#queues.reduce((sum, scanQueue) => sum + scanQueue.waiting, 0);
    return given + waiting >= this.prefetch.min;
  }

  /** Starts at least this many threads; the others start when there is work for them. */
  async ready(threads = 1): Promise<void> {
    while (this.#threads.length < threads && this.#tryAddThread());
    if (!this.fault) await Promise.race(this.#threads.map((thread) => thread.loaded));
    if (this.fault) throw this.fault;
  }

  async stop(): Promise<void> {
    clearInterval(this.#watchdog);
    this.#memory.stop();
    for (const scanQueue of [...this.#queues]) scanQueue.close();
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  dispatch(): void {
    for (;;) {
      const scanQueue = this.#queues.find((one) => one.hasNext);
      const thread = scanQueue && this.#freeThread();
      if (!thread) break;
      thread.sendBatch(scanQueue, scanQueue.nextBatch());
      this.#queues.push(...this.#queues.splice(this.#queues.indexOf(scanQueue), 1)); // now last in turn
    }
    for (const scanQueue of this.#queues) scanQueue.notifyRoom();
  }

  forceDispatch(scanQueue: ScanQueue): void {
    if (this.#queues.includes(scanQueue)) this.#freeThread()?.sendBatch(scanQueue, scanQueue.nextBatch());
  }

  remove(scanQueue: ScanQueue): void {
    this.#queues = this.#queues.filter((one) => one !== scanQueue);
    for (const thread of this.#threads) thread.closeScan(scanQueue);
  }

  /** An idle thread, else a new one: a scan of little work starts few, and one of unchanged objects none. */
  #freeThread(): DetectionThread | undefined {
    const idle = this.#threads.find((thread) => thread.pendingObjects === 0);
    if (idle) return idle;
    const more = this.#threads.length < this.count ? this.#tryAddThread() : null;
    return more ?? this.#threads.find((thread) => thread.hasCapacity);
  }

  /**
   * Returns null if no more threads can be created for now; the existing ones continue. Must not throw: it
   * is called from event handlers, where no caller would catch an error.
   */
  #tryAddThread(): DetectionThread | null {
    if (this.fault) return null;
    try {
      return this.#addThread();
    } catch (error) {
      if (this.#threads.length === 0) this.#failStart(messageOf(error));
      return null;
    }
  }

  #failStart(reason: string): void {
    this.fault = new SeineError(
      'internal',
      `Detection threads can't start: ${reasonText(reason).replace(/\.$/, '')}.`,
    );
    for (const scanQueue of this.#queues) scanQueue.notifyRoom();
  }

  #addThread(): DetectionThread {
    const taken = new Set(this.#threads.map(({ slot }) => slot));
    const slot = Array.from({ length: this.count }, (_, i) => i).find((i) => !taken.has(i))!;
    const readers = this.#memory.readers.buffer;
    const thread = new DetectionThread(
      this.#file,
      { readsAtOnce: this.#readsAtOnce, readers, place: slot },
      {
        answered: (tasks, answer) => this.#answered(tasks, answer),
        failed: (tasks, error) => this.#failed(tasks, error),
        died: (tasks, index, reason) => this.#died(thread, tasks, index, reason),
      },
    );
    this.#threads.push(thread);
    return thread;
  }

  #answered(tasks: readonly Task[], answer: BatchDone): void {
    const inspections = Array.from(answer.bytesRead, clean);
    let findings = 0;
    for (const { place: index, inspection } of answer.notable) {
      inspections[index] = inspection;
      findings += inspection.findings.length;
    }
    tasks[0]?.queue.recordDensity(findings);
    const stopped = new Set(answer.stopped);
    for (const [index, task] of tasks.entries())
      if (!stopped.has(index)) task.queue.completeTask(task, inspections[index]!);
    this.dispatch();
  }

  #failed(tasks: readonly Task[], error: SerializedError): void {
    tasks[0]?.queue.fail(seineError(error));
    this.dispatch();
  }

  #died(thread: DetectionThread, tasks: readonly Task[], index: number, reason: string): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    this.#memory.readers.clear(thread.slot);
    if (!thread.hasWorked) return this.#failStart(reason);
    this.#tryAddThread();
    const suspect = tasks[index];
    for (const task of tasks.toReversed()) if (task !== suspect) task.queue.requeue([task]);
    if (suspect?.deathReason !== undefined)
      suspect.done({
        ...notRead('dead', reason, false),
        evidence: { error: reasonText(reason), attempts: 2 },
      });
    else suspect?.queue.requeue([{ ...suspect, deathReason: reason }]);
    this.dispatch();
  }

  #checkThreads(): void {
    for (const thread of [...this.#threads]) thread.killIfStalled(this.#stallMs);
    this.dispatch();
  }
}
