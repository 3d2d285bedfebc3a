/**
 * The detection threads of this process, shared by all scans it works on. Objects are taken one by one and travel in batches,
 * so that small ones don't each cost a message; scans take turns. A thread that dies or hangs costs one object: it is tried
 * once more alone, then it is dead; the rest of its batch goes to a new thread.
 */
import { SeineError } from '../../base/errors.ts';
import { clean, notRead } from '../inspection.ts';
import { BATCH_OBJECTS, Lane, type LaneOptions, seineError, type Task, type Threads } from './lane.ts';
import { Thread } from './pool-thread.ts';
import type { BatchDone, PlainError } from './protocol.ts';

const WATCH_EVERY_MS = 1000;
const READS_AT_ONCE = 16;
const THREAD = new URL('./thread.ts', import.meta.url);

export interface PoolOptions {
  readonly stallMs?: number;
  readonly file?: URL;
  /** Of a remote source, for each thread. */
  readonly readsAtOnce?: number;
}

export class DetectionPool implements Threads {
  readonly #stallMs: number;
  readonly #file: URL;
  readonly #readsAtOnce: number;
  readonly #threads: Thread[] = [];
  #wanted: number; // threads to start with the first object: a scan of unchanged ones needs none
  readonly count: number;
  readonly ahead: Threads['ahead'];
  readonly #watch: NodeJS.Timeout;
  #lanes: Lane[] = [];
  /** Set when threads can't even start: then nothing will ever be done. */
  fault: SeineError | null = null;

  constructor(threads: number, options: PoolOptions = {}) {
    this.#stallMs = options.stallMs ?? 60_000;
    this.#file = options.file ?? THREAD;
    this.#readsAtOnce = options.readsAtOnce ?? READS_AT_ONCE;
    this.count = threads;
    this.ahead = { least: 2 * this.#readsAtOnce * threads, most: threads * BATCH_OBJECTS * 4 };
    this.#wanted = threads;
    this.#watch = setInterval(() => this.#watchOver(), Math.min(WATCH_EVERY_MS, this.#stallMs / 2));
    this.#watch.unref();
  }

  lane(options: LaneOptions): Lane {
    const lane = new Lane(this, options);
    this.#lanes.push(lane);
    for (const thread of this.#threads) thread.open(lane);
    return lane;
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

  async ready(): Promise<void> {
    this.#start();
    if (this.fault) throw this.fault;
    await Promise.race(this.#threads.map((thread) => thread.up));
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    for (const lane of [...this.#lanes]) lane.close();
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  dispatch(): void {
    if (this.#lanes.some((lane) => lane.hasNext)) this.#start();
    for (const thread of this.#threads) {
      while (thread.hungry) {
        const lane = this.#nextLane();
        if (!lane) break;
        thread.give(lane, lane.nextBatch());
      }
    }
    for (const lane of this.#lanes) lane.makeRoom();
  }

  push(lane: Lane): void {
    const thread = this.#threads.find((one) => one.hungry);
    if (thread) thread.give(lane, lane.nextBatch());
  }

  forget(lane: Lane): void {
    this.#lanes = this.#lanes.filter((one) => one !== lane);
    for (const thread of this.#threads) thread.forget(lane);
  }

  /** The first that has something; then it is the last in the line. */
  #nextLane(): Lane | null {
    const at = this.#lanes.findIndex((lane) => lane.hasNext);
    if (at < 0) return null;
    const [lane] = this.#lanes.splice(at, 1);
    this.#lanes.push(lane!);
    return lane!;
  }

  #start(): void {
    for (; this.#wanted > 0; this.#wanted--) this.#addThread();
  }

  #addThread(): void {
    const thread = new Thread(this.#file, this.#readsAtOnce, {
      answered: (tasks, answer) => this.#answered(tasks, answer),
      failed: (tasks, error) => this.#failed(tasks, error),
      died: (tasks, place, reason) => this.#died(thread, tasks, place, reason),
    });
    this.#threads.push(thread);
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
    if (!thread.everWorked) {
      this.fault = new SeineError('internal', `Detection threads can't start: ${reason.replace(/\.$/, '')}.`);
      for (const lane of this.#lanes) lane.makeRoom();
      return;
    }
    this.#addThread();
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
