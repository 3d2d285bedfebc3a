/**
 * The detection threads of this process, shared by all scans it works on. Objects are taken one by one and travel in batches,
 * so that small ones don't each cost a message; scans take turns. A thread that dies or hangs costs one object: it is tried
 * once more alone, then it is dead; the rest of its batch goes to a new thread.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { clean, notRead } from '../results/inspection.ts';
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
  /** Of a remote source, for each thread. */
  readonly readsAtOnce?: number;
  /** Of this process and its reader processes together. */
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
  /** Set when threads can't even start: then nothing will ever be done. */
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
    const lane = new ScanQueue(this, options);
    this.#queues.push(lane);
    for (const thread of this.#threads) thread.openScan(lane);
    return lane;
  }

  get running(): number {
    return this.#threads.length;
  }

  /** Read of objects that have not ended yet. */
  get bytesUnderWay(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.bytesUnderWay, 0);
  }

  /** Enough is at hand for all reads that go on at once, and as much again. */
  get busy(): boolean {
    const given = this.#threads.reduce((sum, thread) => sum + thread.pendingObjects, 0);
    const waiting = this.#queues.reduce((sum, lane) => sum + lane.waiting, 0);
    return given + waiting >= this.prefetch.min;
  }

  /** With so many threads at least; the others start when there is work for them. */
  async ready(threads = 1): Promise<void> {
    while (this.#threads.length < threads && this.#tryAddThread());
    if (!this.fault) await Promise.race(this.#threads.map((thread) => thread.loaded));
    if (this.fault) throw this.fault;
  }

  async stop(): Promise<void> {
    clearInterval(this.#watchdog);
    this.#memory.stop();
    for (const lane of [...this.#queues]) lane.close();
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  dispatch(): void {
    for (;;) {
      const lane = this.#queues.find((one) => one.hasNext);
      const thread = lane && this.#freeThread();
      if (!thread) break;
      thread.sendBatch(lane, lane.nextBatch());
      this.#queues.push(...this.#queues.splice(this.#queues.indexOf(lane), 1)); // the last in the line now
    }
    for (const lane of this.#queues) lane.notifyRoom();
  }

  forceDispatch(lane: ScanQueue): void {
    if (this.#queues.includes(lane)) this.#freeThread()?.sendBatch(lane, lane.nextBatch());
  }

  remove(lane: ScanQueue): void {
    this.#queues = this.#queues.filter((one) => one !== lane);
    for (const thread of this.#threads) thread.closeScan(lane);
  }

  /** An idle one, else a new one: a scan of little work starts few, and of unchanged objects none. */
  #freeThread(): DetectionThread | undefined {
    const idle = this.#threads.find((thread) => thread.pendingObjects === 0);
    if (idle) return idle;
    const more = this.#threads.length < this.count ? this.#tryAddThread() : null;
    return more ?? this.#threads.find((thread) => thread.hasCapacity);
  }

  /** Null: no more can be made for now, and those that are there go on. This is called from events, where nobody would catch an error. */
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
    this.fault = new SeineError('internal', `Detection threads can't start: ${reason.replace(/\.$/, '')}.`);
    for (const lane of this.#queues) lane.notifyRoom();
  }

  #addThread(): DetectionThread {
    const taken = new Set(this.#threads.map(({ place }) => place));
    const place = Array.from({ length: this.count }, (_, i) => i).find((i) => !taken.has(i))!;
    const readers = this.#memory.readers.buffer;
    const thread = new DetectionThread(
      this.#file,
      { readsAtOnce: this.#readsAtOnce, readers, place },
      {
        answered: (tasks, answer) => this.#answered(tasks, answer),
        failed: (tasks, error) => this.#failed(tasks, error),
        died: (tasks, place, reason) => this.#died(thread, tasks, place, reason),
      },
    );
    this.#threads.push(thread);
    return thread;
  }

  #answered(tasks: readonly Task[], answer: BatchDone): void {
    const inspections = Array.from(answer.bytesRead, clean);
    let findings = 0;
    for (const { place, inspection } of answer.notable) {
      inspections[place] = inspection;
      findings += inspection.findings.length;
    }
    tasks[0]?.queue.recordDensity(findings);
    const stopped = new Set(answer.stopped);
    for (const [place, task] of tasks.entries())
      if (!stopped.has(place)) task.queue.completeTask(task, inspections[place]!);
    this.dispatch();
  }

  #failed(tasks: readonly Task[], error: SerializedError): void {
    tasks[0]?.queue.fail(seineError(error));
    this.dispatch();
  }

  #died(thread: DetectionThread, tasks: readonly Task[], place: number, reason: string): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    this.#memory.readers.clear(thread.place);
    if (!thread.hasWorked) return this.#failStart(reason);
    this.#tryAddThread();
    const suspect = tasks[place];
    for (const task of tasks.toReversed()) if (task !== suspect) task.queue.requeue([task]);
    if (suspect?.deathReason !== undefined)
      suspect.done({ ...notRead('dead', reason, false), evidence: { error: reason, attempts: 2 } });
    else suspect?.queue.requeue([{ ...suspect, deathReason: reason }]);
    this.dispatch();
  }

  #checkThreads(): void {
    for (const thread of [...this.#threads]) thread.killIfStalled(this.#stallMs);
    this.dispatch();
  }
}
