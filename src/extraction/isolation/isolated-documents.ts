/**
 * Documents are read in a process of their own. If it crashes, hangs or wants more memory than it may have, that costs one document:
 * it is tried again in a new process, alone, and then given up with what was read of it.
 */
import { SeineError } from '../../base/errors.ts';
import type { DocumentAt, Documents, Surroundings } from '../documents.ts';
import type { Reading } from '../extraction.ts';
import type { ExtractionLimits } from '../limits.ts';
import { partial } from '../reading.ts';
import { DocumentProcess, EVICTED, isOutOfMemory } from './document-process.ts';
import { exchange } from './exchange.ts';
import { OnceSink } from './once-sink.ts';
import type { MemoryShare } from './shared-readers.ts';
import { Watch } from './watch.ts';

/** A process is replaced after so many documents, or when it has grown: libraries leak. */
const MOST_DOCUMENTS = 10_000;
const MOST_MEMORY_SHARE = 0.5;
/** To start and to load the libraries takes seconds on a slow machine. */
const LEAST_CPU_SECONDS = 60;
const CHILD = new URL('./child.ts', import.meta.url);
const MiB = 1024 * 1024;

/** Another attempt would end the same way. */
const FINAL: ReadonlySet<string> = new Set(['limit: time', 'limit: memory']);
const IDLE_MS = 10_000;

/** The process died twice over a document, and nothing of it was read. */
export class DocumentDied extends SeineError {
  constructor(reason: string) {
    super('corrupt', reason);
    this.name = 'DocumentDied';
  }
}

export interface IsolationOptions {
  /** Called now and then while a document is read. */
  readonly alive?: () => void;
  readonly file?: URL;
  /** How long a process is kept that has nothing to read: it keeps its memory. */
  readonly idleMs?: number;
  /** What the processes of all threads may have together. */
  readonly memory?: MemoryShare;
}

export class IsolatedDocuments implements Documents {
  readonly #alive: () => void;
  readonly #file: URL;
  readonly #memory: MemoryShare | null;
  #process: DocumentProcess | null = null;
  readonly #idleMs: number;
  #idle: NodeJS.Timeout | undefined;

  constructor({ alive = () => {}, file = CHILD, memory, idleMs = IDLE_MS }: IsolationOptions = {}) {
    this.#idleMs = idleMs;
    this.#alive = alive;
    this.#memory = memory ?? null;
    this.#file = file;
  }

  async read(document: DocumentAt, around: Surroundings): Promise<Reading> {
    clearTimeout(this.#idle);
    try {
      return await this.#tried(document, around);
    } finally {
      this.#idle = setTimeout(() => this.close(), this.#idleMs).unref();
    }
  }

  async #tried(document: DocumentAt, around: Surroundings): Promise<Reading> {
    const sink = new OnceSink(around.sink);
    let ended = await this.#inTurn(document, around, sink);
    if (typeof ended === 'string' && !FINAL.has(ended)) {
      sink.again();
      ended = await this.#inTurn(document, around, sink);
    }
    sink.close();
    return typeof ended === 'string' ? givenUp(ended, document, sink.some) : ended;
  }

  /** Ends the process, if there is one. */
  close(): void {
    clearTimeout(this.#idle);
    this.#process?.kill(null);
    this.#process = null;
  }

  /** When there is memory for it. A process that was ended because others needed the memory is no failed attempt. */
  async #inTurn(document: DocumentAt, around: Surroundings, sink: OnceSink): Promise<Reading | string> {
    for (;;) {
      await this.#memory?.room(this.#alive);
      this.#memory?.busy(true);
      try {
        const ended = await this.#attempt(document, around, sink);
        if (ended !== EVICTED) return ended;
        sink.again();
      } finally {
        this.#memory?.busy(false);
      }
    }
  }

  /** The reading, or why there is none: then the next attempt has a new process. */
  async #attempt(document: DocumentAt, around: Surroundings, sink: OnceSink): Promise<Reading | string> {
    const { spent, documentMegabytes } = around.budget;
    const limits = { ...around.budget.limits, documentMegabytes };
    const began = performance.now();
    const cpuBefore = spent.cpuMs;
    const process = this.#ready(limits);
    const limitsNow = () => around.budget.limitsOfDocument(around.options.ocr);
    const watch = new Watch(process, limitsNow, this.#alive);
    try {
      const done = await exchange(process, document, around, sink, watch);
      if (done === null || 'failed' in done) {
        this.#process = null;
        const death = await process.obituary();
        // What it had spent is not known any more; a second attempt must not have it all again.
        if (death !== EVICTED) spent.cpuMs += performance.now() - began;
        return done === null ? death : failure(done.failed);
      }
      const here = spent.cpuMs - cpuBefore; // CPU time of this thread, which ran detection on the text meanwhile
      Object.assign(spent, done.spent);
      spent.cpuMs += here;
      const { memory, cpuSeconds } = done;
      process.cpuSeconds = cpuSeconds;
      const grown = memory > limits.documentMegabytes * MiB * MOST_MEMORY_SHARE;
      if (grown || cpuSeconds > limits.documentSeconds) this.close();
      return done.reading;
    } catch (error) {
      this.close(); // the source failed in the middle of the document, or a limit was reached
      spent.cpuMs += around.budget.readerMs;
      throw error;
    } finally {
      around.budget.readerMs = 0;
      watch.stop();
      process.rest();
    }
  }

  #ready(limits: ExtractionLimits): DocumentProcess {
    const known = this.#process;
    const megabytes = limits.documentMegabytes;
    if (known && (known.documents >= MOST_DOCUMENTS || known.limits.megabytes !== megabytes)) this.close();
    this.#process ??= new DocumentProcess(
      this.#file,
      { megabytes, cpuSeconds: cpuLimit(limits) },
      this.#memory,
    );
    this.#process.documents++;
    this.#process.wake();
    return this.#process;
  }
}

/** Never before the time limit of a document: a process that has used as much for several of them is replaced. */
function cpuLimit({ documentSeconds }: ExtractionLimits): number {
  return Math.max(LEAST_CPU_SECONDS, 4 * documentSeconds);
}

function failure(message: string): string {
  return isOutOfMemory(message) ? 'limit: memory' : 'document reader failed';
}

/** Limits end a reading; a fault ends the object, if that is the document and nothing of it was read. */
function givenUp(reason: string, { document, inside }: DocumentAt, some: boolean): Reading {
  if (!some && inside.depth === 0 && !reason.startsWith('limit:')) throw new DocumentDied(reason);
  return partial(reason, document);
}
