/**
 * The detection threads of this process, shared by all scans it works on. Objects are taken one by one and travel in batches,
 * so that small ones don't each cost a message; scans take turns. A thread that dies or hangs costs one object: it is tried
 * once more alone, then it is dead; the rest of its batch goes to a new thread.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { clean, notRead } from '../inspection.ts';
import { BATCH_OBJECTS, Lane, type LaneOptions, seineError, type Task, type Threads } from './lane.ts';
import { Thread } from './pool-thread.ts';
import type { BatchDone, PlainError } from './protocol.ts';
import { memoryFor, ReaderMemory } from './reader-memory.ts';

const WATCH_EVERY_MS = 1000;
const READS_AT_ONCE = 16;
const THREAD = new URL('./thread.ts', import.meta.url);

export interface PoolOptions {
  readonly stallMs?: number;
  readonly file?: URL;
  /** Of a remote source, for each thread. */
  readonly readsAtOnce?: number;
  /** Of this process and its reader processes together. */
  readonly megabytes?: number;
}

export class DetectionPool implements Threads {
  readonly #stallMs: number;
  readonly #file: URL;
  readonly #readsAtOnce: number;
  readonly #threads: Thread[] = [];
  readonly count: number;
  readonly ahead: Threads['ahead'];
  readonly #watch: NodeJS.Timeout;
  readonly #memory: ReaderMemory;
  #lanes: Lane[] = [];
  /** Set when threads can't even start: then nothing will ever be done. */
  fault: SeineError | null = null;

  constructor(threads: number, options: PoolOptions = {}) {
    this.#stallMs = options.stallMs ?? 60_000;
    this.#file = options.file ?? THREAD;
    this.#readsAtOnce = options.readsAtOnce ?? READS_AT_ONCE;
    this.count = threads;
    this.#memory = new ReaderMemory(threads, options.megabytes ?? memoryFor(threads));
    this.ahead = { least: 2 * this.#readsAtOnce * threads, most: threads * BATCH_OBJECTS * 4 };
    this.#watch = setInterval(() => this.#watchOver(), Math.min(WATCH_EVERY_MS, this.#stallMs / 2));
    this.#watch.unref();
  }

  lane(options: LaneOptions): Lane {
    const lane = new Lane(this, options);
    this.#lanes.push(lane);
    for (const thread of this.#threads) thread.open(lane);
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
    const given = this.#threads.reduce((sum, thread) => sum + thread.objects, 0);
    const waiting = this.#lanes.reduce((sum, lane) => sum + lane.waiting, 0);
    return given + waiting >= this.ahead.least;
  }

  /** With so many threads at least; the others start when there is work for them. */
  async ready(threads = 1): Promise<void> {
    while (this.#threads.length < threads && this.#oneMore());
    if (!this.fault) await Promise.race(this.#threads.map((thread) => thread.up));
    if (this.fault) throw this.fault;
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    this.#memory.stop();
    for (const lane of [...this.#lanes]) lane.close();
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  dispatch(): void {
    for (;;) {
      const lane = this.#lanes.find((one) => one.hasNext);
      const thread = lane && this.#taker();
      if (!thread) break;
      thread.give(lane, lane.nextBatch());
      this.#lanes.push(...this.#lanes.splice(this.#lanes.indexOf(lane), 1)); // the last in the line now
    }
    for (const lane of this.#lanes) lane.makeRoom();
  }

  push(lane: Lane): void {
    if (this.#lanes.includes(lane)) this.#taker()?.give(lane, lane.nextBatch());
  }

  forget(lane: Lane): void {
    this.#lanes = this.#lanes.filter((one) => one !== lane);
    for (const thread of this.#threads) thread.forget(lane);
  }

  /** An idle one, else a new one: a scan of little work starts few, and of unchanged objects none. */
  #taker(): Thread | undefined {
    const idle = this.#threads.find((thread) => thread.objects === 0);
    if (idle) return idle;
    const more = this.#threads.length < this.count ? this.#oneMore() : null;
    return more ?? this.#threads.find((thread) => thread.hungry);
  }

  /** Null: no more can be made for now, and those that are there go on. This is called from events, where nobody would catch an error. */
  #oneMore(): Thread | null {
    if (this.fault) return null;
    try {
      return this.#addThread();
    } catch (error) {
      if (this.#threads.length === 0) this.#giveUp(messageOf(error));
      return null;
    }
  }

  #giveUp(reason: string): void {
    this.fault = new SeineError('internal', `Detection threads can't start: ${reason.replace(/\.$/, '')}.`);
    for (const lane of this.#lanes) lane.makeRoom();
  }

  #addThread(): Thread {
    const taken = new Set(this.#threads.map(({ place }) => place));
    const place = Array.from({ length: this.count }, (_, i) => i).find((i) => !taken.has(i))!;
    const readers = this.#memory.readers.buffer;
    const thread = new Thread(
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
    tasks[0]?.lane.density(findings);
    const stopped = new Set(answer.stopped);
    for (const [place, task] of tasks.entries())
      if (!stopped.has(place)) task.lane.answered(task, inspections[place]!);
    this.dispatch();
  }

  #failed(tasks: readonly Task[], error: PlainError): void {
    tasks[0]?.lane.broken(seineError(error));
    this.dispatch();
  }

  #died(thread: Thread, tasks: readonly Task[], place: number, reason: string): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    this.#memory.readers.clear(thread.place);
    if (!thread.everWorked) return this.#giveUp(reason);
    this.#oneMore();
    const suspect = tasks[place];
    for (const task of tasks.toReversed()) if (task !== suspect) task.lane.putBack([task]);
    if (suspect?.blamed !== undefined)
      suspect.done({ ...notRead('dead', reason, false), evidence: { error: reason, attempts: 2 } });
    else suspect?.lane.putBack([{ ...suspect, blamed: reason }]);
    this.dispatch();
  }

  #watchOver(): void {
    for (const thread of [...this.#threads]) thread.killIfStalled(this.#stallMs);
    this.dispatch();
  }
}
