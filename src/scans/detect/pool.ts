/**
 * The detection threads of this process, shared by all scans it works on. The pool pulls batches from the scans' queues, in turn, and
 * sends them to threads with capacity; batches, so that small objects don't each cost a message. A thread that crashes or hangs affects
 * one object, which its queue retries alone; the rest of its batch goes to a new thread.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { reasonText } from '../results/reason-code.ts';
import { DetectionThread, type SentBatch } from './pool-thread.ts';
import { deserializeError } from './protocol.ts';
import { memoryFor, ReaderMemoryLimiter } from './reader-memory.ts';
import { BATCH_OBJECTS, type QueueConsumer, ScanQueue, type ScanQueueOptions } from './scan-queue.ts';

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

export class DetectionPool {
  readonly #stallMs: number;
  readonly #file: URL;
  readonly #readsAtOnce: number;
  readonly #threads: DetectionThread[] = [];
  readonly #maxThreads: number;
  readonly #consumer: QueueConsumer;
  readonly #watchdog: NodeJS.Timeout;
  readonly #memory: ReaderMemoryLimiter;
  #queues: ScanQueue[] = [];
  /** Set when threads can't start: then no object can be processed. */
  fault: SeineError | null = null;

  constructor(threads: number, options: PoolOptions = {}) {
    this.#stallMs = options.stallMs ?? 60_000;
    this.#file = options.file ?? THREAD;
    this.#readsAtOnce = options.readsAtOnce ?? READS_AT_ONCE;
    this.#maxThreads = threads;
    this.#memory = new ReaderMemoryLimiter(threads, options.memoryMegabytes ?? memoryFor(threads));
    this.#consumer = {
      threads,
      prefetch: { min: 2 * this.#readsAtOnce * threads, max: threads * BATCH_OBJECTS * 4 },
      workAvailable: () => this.#dispatch(),
      threadReady: () => this.ready(),
    };
    this.#watchdog = setInterval(
      () => this.#checkThreads(),
      Math.min(WATCHDOG_INTERVAL_MS, this.#stallMs / 2),
    );
    this.#watchdog.unref();
  }

  openQueue(options: ScanQueueOptions): ScanQueue {
    const scanQueue = new ScanQueue(this.#consumer, options);
    this.#queues.push(scanQueue);
    if (this.fault) scanQueue.fail(this.fault);
    for (const thread of this.#threads) thread.openScan(scanQueue);
    return scanQueue;
  }

  /** Its waiting objects are discarded, and its batches under way stop at the gate. */
  closeQueue(scanQueue: ScanQueue): void {
    scanQueue.close();
    this.#queues = this.#queues.filter((one) => one !== scanQueue);
    for (const thread of this.#threads) thread.closeScan(scanQueue);
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
    return given + waiting >= this.#consumer.prefetch.min;
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
    for (const scanQueue of [...this.#queues]) this.closeQueue(scanQueue);
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  /** Sends batches while a queue has one and a thread has capacity. */
  #dispatch(): void {
    for (;;) {
      const scanQueue = this.#queues.find((one) => one.hasBatch);
      const thread = scanQueue && this.#freeThread();
      if (!thread) break;
      thread.sendBatch(scanQueue, scanQueue.nextBatch());
      this.#queues.push(...this.#queues.splice(this.#queues.indexOf(scanQueue), 1)); // now last in turn
    }
  }

  /** An idle thread, else a new one: a scan of little work starts few, and one of unchanged objects none. */
  #freeThread(): DetectionThread | undefined {
    const idle = this.#threads.find((thread) => thread.pendingObjects === 0);
    if (idle) return idle;
    const more = this.#threads.length < this.#maxThreads ? this.#tryAddThread() : null;
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
    const why = reasonText(reason).replace(/\.$/, '');
    this.fault = new SeineError('internal', `Detection threads can't start: ${why}.`);
    for (const scanQueue of this.#queues) scanQueue.fail(this.fault);
  }

  #addThread(): DetectionThread {
    const taken = new Set(this.#threads.map(({ slot }) => slot));
    const slot = Array.from({ length: this.#maxThreads }, (_, i) => i).find((i) => !taken.has(i))!;
    const readers = this.#memory.readers.buffer;
    const thread = new DetectionThread(
      this.#file,
      { readsAtOnce: this.#readsAtOnce, readers, place: slot },
      {
        answered: ({ queue, tasks }, answer) => {
          queue.completeBatch(tasks, answer);
          this.#dispatch();
        },
        failed: ({ queue }, error) => {
          queue.fail(deserializeError(error));
          this.#dispatch();
        },
        died: (batches, index, reason) => this.#replaceThread(thread, batches, index, reason),
      },
    );
    this.#threads.push(thread);
    return thread;
  }

  /** `index`: which object of the first batch the thread was processing. */
  #replaceThread(
    thread: DetectionThread,
    batches: readonly SentBatch[],
    index: number,
    reason: string,
  ): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    this.#memory.readers.clear(thread.slot);
    if (!thread.hasWorked) return this.#failStart(reason);
    this.#tryAddThread();
    for (const batch of batches.slice(1).toReversed()) batch.queue.requeue(batch.tasks);
    batches[0]?.queue.requeueCrashed(batches[0].tasks, index, reason);
    this.#dispatch();
  }

  #checkThreads(): void {
    for (const thread of [...this.#threads]) thread.killIfStalled(this.#stallMs);
    this.#dispatch();
  }
}
