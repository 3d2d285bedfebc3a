/**
 * Documents are read in a process of their own. If it crashes, hangs or wants more memory than it may have, that costs one document:
 * it is tried again in a new process, alone, and then given up with what was read of it.
 */
import { SeineError } from '../../base/errors.ts';
import type { DocumentAt, Documents, Surroundings } from '../documents.ts';
import type { Reading } from '../extraction.ts';
import { partial } from '../reading.ts';
import { DocumentProcess, isOutOfMemory } from './document-process.ts';
import { exchange } from './exchange.ts';
import { OnceSink } from './once-sink.ts';
import { Watch } from './watch.ts';

/** A process is replaced after so many documents, or when it has grown: libraries leak. */
const MOST_DOCUMENTS = 1000;
const MOST_MEMORY_SHARE = 0.5;
const CHILD = new URL('./child.ts', import.meta.url);
const MiB = 1024 * 1024;

const TOO_LONG = 'limit: time';

/** The process died twice over a document, and nothing of it was read. */
export class DocumentDied extends SeineError {
  constructor(reason: string) {
    super('corrupt', reason);
    this.name = 'DocumentDied';
  }
}

export class IsolatedDocuments implements Documents {
  readonly #alive: () => void;
  readonly #file: URL;
  #process: DocumentProcess | null = null;

  /** `alive`: called now and then while a document is read. */
  constructor(alive: () => void = () => {}, file = CHILD) {
    this.#alive = alive;
    this.#file = file;
  }

  async read(document: DocumentAt, around: Surroundings): Promise<Reading> {
    const sink = new OnceSink(around.sink);
    let ended = await this.#attempt(document, around, sink);
    if (typeof ended === 'string' && ended !== TOO_LONG) {
      sink.again();
      ended = await this.#attempt(document, around, sink);
    }
    sink.close();
    return typeof ended === 'string' ? givenUp(ended, document, sink.some) : ended;
  }

  /** Ends the process, if there is one. */
  close(): void {
    this.#process?.kill(null);
    this.#process = null;
  }

  /** The reading, or why there is none: then the next attempt has a new process. */
  async #attempt(document: DocumentAt, around: Surroundings, sink: OnceSink): Promise<Reading | string> {
    const { limits, spent } = around.budget;
    const process = this.#ready(limits.documentMegabytes);
    const watch = new Watch(process, limits, this.#alive);
    try {
      const done = await exchange(process, document, around, sink, watch);
      if (done === null || 'failed' in done) {
        this.#process = null;
        const death = await process.obituary();
        return done === null ? death : failure(done.failed);
      }
      Object.assign(spent, done.spent);
      if (done.memory > limits.documentMegabytes * MiB * MOST_MEMORY_SHARE) this.close();
      return done.reading;
    } catch (error) {
      this.close(); // the source failed in the middle of the document
      throw error;
    } finally {
      watch.stop();
      process.rest();
    }
  }

  #ready(megabytes: number): DocumentProcess {
    const known = this.#process;
    if (known && (known.documents >= MOST_DOCUMENTS || known.megabytes !== megabytes)) this.close();
    this.#process ??= new DocumentProcess(this.#file, megabytes);
    this.#process.documents++;
    this.#process.wake();
    return this.#process;
  }
}

function failure(message: string): string {
  return isOutOfMemory(message) ? 'limit: memory' : 'document reader failed';
}

/** Limits end a reading; a fault ends the object, if that is the document and nothing of it was read. */
function givenUp(reason: string, { document, inside }: DocumentAt, some: boolean): Reading {
  if (!some && inside.depth === 0 && !reason.startsWith('limit:')) throw new DocumentDied(reason);
  return partial(reason, document);
}
