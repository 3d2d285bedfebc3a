/** One thread of the pool, seen from the main thread: the batches it has been given, its pulse, its end. */
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import type { SourceObject } from '../../sources/source.ts';
import type { Inspection } from '../inspection.ts';
import { type BatchDone, Pulse, type ThreadSetup } from './protocol.ts';

/** One in hand and one at the door, so that a thread never waits for the main thread. */
const BATCHES_AT_ONCE = 2;
const HEAP_MB = 512;

export interface Task {
  readonly object: SourceObject;
  readonly done: (inspection: Inspection) => void;
  /** Why the object's first thread died: it goes alone now. */
  readonly blamed?: string;
}

type Answered = (tasks: readonly Task[], answer: BatchDone) => void;
type Died = (tasks: readonly Task[], place: number, reason: string) => void;

export class Thread {
  readonly #worker: Worker;
  readonly #pulse = new Pulse();
  readonly #given: { id: number; tasks: readonly Task[] }[] = [];
  readonly #died: Died;
  /** Resolves when the thread has loaded what it needs, or has ended. */
  readonly up: Promise<void>;
  #nextId = 0;
  #beats = 0;
  #quietSince = performance.now();
  #reason = 'its detection thread ended';
  #ended = false;

  constructor(file: URL, setup: Omit<ThreadSetup, 'pulse'>, answered: Answered, died: Died) {
    this.#died = died;
    this.#worker = new Worker(file, {
      workerData: { ...setup, pulse: this.#pulse.buffer },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.up = promise;
    this.#worker.on('message', (answer: BatchDone | 'up') => {
      if (answer === 'up') resolve();
      else answered(this.#given.shift()!.tasks, answer);
    });
    this.#worker.on('error', (error) => {
      this.#reason = `crashed detection: ${messageOf(error)
        .replace(/\p{Cc}+/gu, ' ')
        .slice(0, 200)}`;
    });
    this.#worker.on('exit', () => {
      resolve();
      this.#end();
    });
    this.#worker.unref();
  }

  get hungry(): boolean {
    return this.#given.length < BATCHES_AT_ONCE;
  }

  get bytesUnderWay(): number {
    return this.#given.length === 0 ? 0 : this.#pulse.bytesOfObject;
  }

  get everWorked(): boolean {
    return this.#pulse.beats > 0;
  }

  give(tasks: readonly Task[]): void {
    if (this.#given.length === 0) this.#quietSince = performance.now();
    const id = this.#nextId++;
    this.#given.push({ id, tasks });
    this.#worker.ref();
    this.#worker.postMessage({ id, objects: tasks.map((task) => task.object) });
  }

  killIfStalled(stallMs: number): void {
    const moved = this.#pulse.beats !== this.#beats;
    this.#beats = this.#pulse.beats;
    if (moved || this.#given.length === 0) this.#quietSince = performance.now();
    else if (performance.now() - this.#quietSince > stallMs) {
      this.#quietSince = Number.POSITIVE_INFINITY; // once is enough
      this.#reason = 'detection made no progress';
      void this.#worker.terminate();
    }
  }

  async terminate(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const tasks = this.#given.flatMap((batch) => batch.tasks);
    this.#died(tasks, this.#pulse.place, this.#reason);
  }
}
