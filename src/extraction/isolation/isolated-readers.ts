/**
 * Reads documents in separate processes. A crash, a hang or excessive memory affects one document only: it is retried in a new process,
 * alone, and then reported as partial with what was read of it.
 */
import { SeineError } from '../../base/errors.ts';
import type { ExtractionLimits } from '../budget/limits.ts';
import type { DocumentReaders, DocumentRequest, ReaderContext } from '../document-readers.ts';
import type { ExtractionResult } from '../extraction.ts';
import { UnsupportedLibrary } from '../extraction-error.ts';
import { partialResult } from '../push-parser.ts';
import { DedupSink } from './dedup-sink.ts';
import { exchange } from './exchange.ts';
import { EVICTED, isOutOfMemory, ReaderProcess } from './reader-process.ts';
import { ReaderWatchdog } from './reader-watchdog.ts';
import type { MemoryShare } from './shared-readers.ts';

/** A process is replaced after this many documents, or when it has grown, because libraries leak memory. */
const MAX_DOCUMENTS = 10_000;
const MAX_MEMORY_SHARE = 0.5;
/** Starting the process and loading the libraries takes seconds on a slow machine. */
const MIN_CPU_SECONDS = 60;
const CHILD = new URL('./child.ts', import.meta.url);
const MiB = 1024 * 1024;

/** Another attempt would end the same way. */
const FINAL: ReadonlySet<string> = new Set(['limit: time', 'limit: memory']);
const IDLE_MS = 10_000;

/** The process died twice over a document, and nothing of it was read. */
export class ReaderCrashed extends SeineError {
  constructor(reason: string) {
    super('corrupt', reason);
    this.name = 'DocumentDied';
  }
}

export interface IsolationOptions {
  /** Called now and then while a document is read. */
  readonly onProgress?: () => void;
  readonly file?: URL;
  /** How long an idle process is kept, which holds its memory. */
  readonly idleMs?: number;
  /** What the processes of all threads may have together. */
  readonly memory?: MemoryShare;
}

export class IsolatedReaders implements DocumentReaders {
  readonly #onProgress: () => void;
  readonly #file: URL;
  readonly #memory: MemoryShare | null;
  #process: ReaderProcess | null = null;
  readonly #idleMs: number;
  #idle: NodeJS.Timeout | undefined;

  constructor({ onProgress = () => {}, file = CHILD, memory, idleMs = IDLE_MS }: IsolationOptions = {}) {
    this.#idleMs = idleMs;
    this.#onProgress = onProgress;
    this.#memory = memory ?? null;
    this.#file = file;
  }

  async read(document: DocumentRequest, context: ReaderContext): Promise<ExtractionResult> {
    clearTimeout(this.#idle);
    try {
      return await this.#tried(document, context);
    } finally {
      this.#idle = setTimeout(() => this.close(), this.#idleMs).unref();
    }
  }

  async #tried(document: DocumentRequest, context: ReaderContext): Promise<ExtractionResult> {
    const sink = new DedupSink(context.sink);
    let ended = await this.#readWithRetry(document, context, sink);
    if (typeof ended === 'string' && !FINAL.has(ended)) {
      sink.restart();
      ended = await this.#readWithRetry(document, context, sink);
    }
    sink.close();
    return typeof ended === 'string' ? givenUp(ended, document, sink.hasOutput) : ended;
  }

  /** Ends the process, if there is one. */
  close(): void {
    clearTimeout(this.#idle);
    this.#process?.kill(null);
    this.#process = null;
  }

  /** When there is memory for it. A process that was ended because others needed the memory is no failed attempt. */
  async #readWithRetry(
    document: DocumentRequest,
    context: ReaderContext,
    sink: DedupSink,
  ): Promise<ExtractionResult | string> {
    for (;;) {
      await this.#memory?.room(this.#onProgress);
      this.#memory?.busy(true);
      try {
        const ended = await this.#attempt(document, context, sink);
        if (ended !== EVICTED) return ended;
        sink.restart();
      } finally {
        this.#memory?.busy(false);
      }
    }
  }

  /** The reading, or why there is none: then the next attempt has a new process. */
  async #attempt(
    document: DocumentRequest,
    context: ReaderContext,
    sink: DedupSink,
  ): Promise<ExtractionResult | string> {
    const { usage, documentMegabytes } = context.budget;
    const limits = { ...context.budget.limits, documentMegabytes };
    const began = performance.now();
    const cpuBefore = usage.cpuMs;
    const process = this.#ready(limits);
    const limitsNow = () => context.budget.documentLimits(context.options.ocr);
    const watchdog = new ReaderWatchdog(process, limitsNow, this.#onProgress);
    try {
      const done = await exchange(process, document, context, sink, watchdog);
      if (done === null || 'failed' in done) {
        this.#process = null;
        const death = await process.exitReason();
        // What it had spent is not known any more; a second attempt must not have it all again.
        if (death !== EVICTED) usage.cpuMs += performance.now() - began;
        return done === null ? death : failure(done.failed);
      }
      const here = usage.cpuMs - cpuBefore; // CPU time of this thread, which ran detection on the text meanwhile
      Object.assign(usage, done.usage);
      usage.cpuMs += here;
      const { memory, cpuSeconds } = done;
      process.cpuSeconds = cpuSeconds;
      const grown = memory > limits.documentMegabytes * MiB * MAX_MEMORY_SHARE;
      if (grown || cpuSeconds > limits.documentSeconds) this.close();
      return done.result;
    } catch (error) {
      this.close(); // the source failed in the middle of the document, or a limit was reached
      usage.cpuMs += context.budget.readerMs;
      throw error;
    } finally {
      context.budget.readerMs = 0;
      watchdog.stop();
      process.unref();
    }
  }

  #ready(limits: ExtractionLimits): ReaderProcess {
    const known = this.#process;
    const megabytes = limits.documentMegabytes;
    if (known && (known.documents >= MAX_DOCUMENTS || known.limits.megabytes !== megabytes)) this.close();
    this.#process ??= new ReaderProcess(
      this.#file,
      { megabytes, cpuSeconds: cpuLimit(limits) },
      this.#memory,
    );
    this.#process.documents++;
    this.#process.ref();
    return this.#process;
  }
}

/** Never before the time limit of a document: a process that has used as much for several of them is replaced. */
function cpuLimit({ documentSeconds }: ExtractionLimits): number {
  return Math.max(MIN_CPU_SECONDS, 4 * documentSeconds);
}

/** Other messages are not passed on: they may quote the document. */
function failure(message: string): string {
  if (isOutOfMemory(message)) return 'limit: memory';
  const unsupported = UnsupportedLibrary.pattern.exec(message)?.[0];
  return unsupported === undefined ? 'document reader failed' : `document reader failed: ${unsupported}`;
}

/** Limits end a reading; a fault ends the object, if that is the document and nothing of it was read. */
function givenUp(reason: string, { document, path }: DocumentRequest, some: boolean): ExtractionResult {
  if (!some && path.depth === 0 && !reason.startsWith('limit:')) throw new ReaderCrashed(reason);
  return partialResult(reason, document);
}
