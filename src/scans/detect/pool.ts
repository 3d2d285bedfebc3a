/**
 * The detection threads of this process. Objects are taken one by one and travel in batches, so that small ones don't
 * each cost a message. A thread that dies or hangs costs one object: it is tried once more alone, then it is dead; the
 * rest of its batch goes to a new thread.
 */
import { SeineError } from '../../base/errors.ts';
import type { SourceObject } from '../../sources/source.ts';
import { clean, type Inspection, notRead } from '../inspection.ts';
import { type Task, Thread } from './pool-thread.ts';
import type { BatchDone, ThreadSetup } from './protocol.ts';

const BATCH_OBJECTS = 64;
const BATCH_BYTES = 1 << 20;
/** Findings that wait to be written: beyond, no new objects are begun. */
const MUCH_UNWRITTEN = 20_000;
/** Where findings come thick, batches are small, so that what is under way stays little. */
const DENSE = 2000;
const DENSE_BATCH_BYTES = 128 << 10;
const WATCH_EVERY_MS = 1000;
const ROOM_PATIENCE_MS = 200;
const THREAD = new URL('./thread.ts', import.meta.url);

/** What a shard needs of whoever looks at its objects. */
export interface ObjectInspectors {
  readonly full: boolean;
  readonly fault: Error | null;
  /** Resolves when there may be room again, and after a moment in any case: the caller looks again. */
  room(signal: AbortSignal): Promise<void>;
  /** Resolves when objects can be looked at without a delay. */
  ready(): Promise<void>;
  submit(object: SourceObject, done: (inspection: Inspection) => void): void;
  flush(): void;
  /** So many findings are in memory now, or have been written: memory stays bounded however dense the data. */
  found(findings: number): void;
  wrote(findings: number): void;
  /** Nothing could be written, because what comes first still waits here: begin it, however much is unwritten. */
  push(): void;
}

export class DetectionPool implements ObjectInspectors {
  readonly #setup: Omit<ThreadSetup, 'pulse'>;
  readonly #stallMs: number;
  readonly #file: URL;
  readonly #threads: Thread[] = [];
  #wanted: number; // threads to start with the first object: a scan of unchanged ones needs none
  readonly #room: number;
  readonly #watch: NodeJS.Timeout;
  #waiting: Task[] = [];
  #unwritten = 0;
  #dense = false; // as the last answers were
  #roomMade = () => {};
  /** Set when threads can't even start: then nothing will ever be done. */
  fault: SeineError | null = null;

  constructor(threads: number, setup: Omit<ThreadSetup, 'pulse'>, { stallMs = 60_000, file = THREAD } = {}) {
    this.#setup = setup;
    this.#stallMs = stallMs;
    this.#file = file;
    this.#room = threads * BATCH_OBJECTS * 4;
    this.#wanted = threads;
    this.#watch = setInterval(() => this.#watchOver(), Math.min(WATCH_EVERY_MS, stallMs / 2));
    this.#watch.unref();
  }

  get full(): boolean {
    return this.#waiting.length >= this.#room;
  }

  /** Read of objects that have not ended yet. */
  get bytesUnderWay(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.bytesUnderWay, 0);
  }

  room(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (!this.full || this.fault || signal.aborted) return resolve();
      setTimeout(resolve, ROOM_PATIENCE_MS).unref();
      const before = this.#roomMade;
      this.#roomMade = () => {
        before();
        resolve();
      };
    });
  }

  async ready(): Promise<void> {
    this.#start();
    if (this.fault) throw this.fault;
    await Promise.race(this.#threads.map((thread) => thread.up));
  }

  submit(object: SourceObject, done: (inspection: Inspection) => void): void {
    this.#start();
    this.#waiting.push({ object, done });
    if (this.#waiting.length >= BATCH_OBJECTS || object.size > BATCH_BYTES) this.#dispatch();
  }

  /** No more is coming for now: don't wait for a full batch. */
  flush(): void {
    this.#dispatch();
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    this.#waiting = [];
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  found(findings: number): void {
    this.#unwritten += findings;
  }

  wrote(findings: number): void {
    this.#unwritten -= findings;
    this.#dispatch();
  }

  push(): void {
    const thread = this.#threads.find((one) => one.hungry);
    if (thread && this.#waiting.length > 0) thread.give(this.#nextBatch());
  }

  #dispatch(): void {
    if (this.#unwritten > MUCH_UNWRITTEN) return;
    for (const thread of this.#threads) {
      while (thread.hungry && this.#waiting.length > 0) thread.give(this.#nextBatch());
    }
    if (!this.full) {
      const made = this.#roomMade;
      this.#roomMade = () => {};
      made();
    }
  }

  #nextBatch(): Task[] {
    const most = this.#dense ? DENSE_BATCH_BYTES : BATCH_BYTES;
    let bytes = 0;
    let count = 0;
    for (const task of this.#waiting) {
      const tooMuch = count > 0 && (bytes + task.object.size > most || task.blamed !== undefined);
      if (tooMuch || count >= BATCH_OBJECTS) break;
      bytes += task.object.size;
      count++;
      if (task.blamed !== undefined) break;
    }
    return this.#waiting.splice(0, count);
  }

  #start(): void {
    for (; this.#wanted > 0; this.#wanted--) this.#addThread();
  }

  #addThread(): void {
    const thread = new Thread(
      this.#file,
      this.#setup,
      (tasks, answer) => this.#answered(tasks, answer),
      (tasks, place, reason) => this.#died(thread, tasks, place, reason),
    );
    this.#threads.push(thread);
  }

  #answered(tasks: readonly Task[], answer: BatchDone): void {
    const inspections = Array.from(answer.bytesRead, clean);
    let findings = 0;
    for (const { place, inspection } of answer.notable) {
      inspections[place] = inspection;
      findings += inspection.findings.length;
    }
    this.#dense = findings > DENSE;
    for (const [place, task] of tasks.entries()) task.done(inspections[place]!);
    this.#dispatch();
  }

  /** `tasks` in order; the one at `place` was being looked at. */
  #died(thread: Thread, tasks: readonly Task[], place: number, reason: string): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    if (!thread.everWorked) {
      this.fault = new SeineError('internal', `Detection threads can't start: ${reason.replace(/\.$/, '')}.`);
      this.#roomMade();
      return;
    }
    this.#addThread();
    const suspect = tasks[place];
    const rest = tasks.filter((task) => task !== suspect);
    this.#waiting.unshift(...rest);
    if (suspect?.blamed !== undefined) suspect.done(notRead('dead', reason, false));
    else if (suspect) this.#waiting.unshift({ ...suspect, blamed: reason });
    this.#dispatch();
  }

  #watchOver(): void {
    for (const thread of [...this.#threads]) thread.killIfStalled(this.#stallMs);
    this.#dispatch();
  }
}
