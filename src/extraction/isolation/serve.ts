import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { ExtractionBudget } from '../budget/extraction-budget.ts';
import type { RandomAccess } from '../document-item.ts';
import type { DocumentReaders } from '../document-readers.ts';
import type { TextPart, TextSink } from '../extraction.ts';
import { Extractor } from '../extractor.ts';
import { ByteQueue } from '../formats/byte-queue.ts';
import { memoryAccess } from '../input/random-access.ts';
import {
  type Job,
  MAX_BYTES,
  type Message,
  messageFrame,
  receive,
  sendBytes,
  sendMessage,
} from './frames.ts';

/** Nested documents that are not seekable are kept in memory, because this process may not write files. */
const MAX_HELD_SHARE = 0.25;
const MAX_WAITING = 64;
const REPORT_EVERY_MS = 50;
const MiB = 1024 * 1024;

/** Reads documents until the other side closes the connection. */
export async function serve(connection: Duplex, documents: DocumentReaders): Promise<void> {
  const queue = new ByteQueue(connection[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>);
  for (let message = await receive(queue); message !== null; message = await receive(queue)) {
    if (message.is === 'job') await work(message.job, queue, connection, documents);
  }
}

async function work(
  job: Job,
  queue: ByteQueue,
  connection: Duplex,
  documents: DocumentReaders,
): Promise<void> {
  try {
    const sink = new SendingSink(connection, paid.cpuMs);
    const input = job.whole ? await wholeInput(queue) : remoteInput(job.size, queue, connection);
    const buffered = Math.floor(job.limits.documentMegabytes * MiB * MAX_HELD_SHARE);
    const limits = { ...job.limits, documentBytes: Math.min(job.limits.documentBytes, buffered) };
    const budget = new ExtractionBudget(limits, job.usage, () => {}, processCpuMs, paid.cpuMs);
    const waitForDrain = () => sink.room();
    const extractor = new Extractor({
      ...job,
      sink,
      budget,
      documents,
      waitForDrain,
      maxInMemoryBytes: buffered,
    });
    const result = await documents.read({ ...job, input }, extractor);
    sink.finish();
    budget.windows.close(); // the next document may need the memory
    budget.addCpuTime();
    const memory = process.memoryUsage.rss();
    const cpuSeconds = processCpuMs() / 1000;
    sendMessage(connection, { is: 'done', done: { result, usage: budget.usage, memory, cpuSeconds } });
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    sendMessage(connection, { is: 'failed', message });
  } finally {
    paid.cpuMs = processCpuMs();
  }
}

/** CPU time of this process that earlier documents have been charged with. The first one also pays for the start of the process. */
const paid = { cpuMs: 0 };

/** Of all threads: the collector of garbage and the compiler have their own. */
function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function wholeInput(queue: ByteQueue): Promise<RandomAccess> {
  const message = await receive(queue);
  return memoryAccess(message?.is === 'bytes' ? message.bytes.slice() : new Uint8Array(0));
}

/** One request at a time, in order. */
function remoteInput(size: number, queue: ByteQueue, connection: Duplex): RandomAccess {
  let turn: Promise<unknown> = Promise.resolve();
  const askOnce = async (from: number, to: number): Promise<Uint8Array> => {
    sendMessage(connection, { is: 'need', from, to });
    const answer = await receive(queue);
    if (answer?.is !== 'bytes') process.exit(); // the other side closed the connection
    return answer.bytes.slice();
  };
  const ask = async (from: number, to: number): Promise<Uint8Array> => {
    if (to - from <= MAX_BYTES) return askOnce(from, to);
    const bytes = Buffer.allocUnsafeSlow(to - from);
    let length = 0;
    while (length < bytes.length) {
      const part = await askOnce(from + length, Math.min(to, from + length + MAX_BYTES));
      if (part.length === 0) break;
      bytes.set(part, length);
      length += part.length;
    }
    return bytes.subarray(0, length);
  };
  return {
    size,
    read(from, to) {
      const answer = turn.then(() => ask(from, Math.min(to, size)));
      turn = answer;
      return answer;
    },
  };
}

/** Sends text to the thread that scans it. */
class SendingSink implements TextSink {
  readonly #to: Duplex;
  /** Beginnings and ends wait for the bytes between them: each of the many short texts of a document is one write then. */
  #waiting: Buffer[] = [];
  /** CPU time of this process when the document began, and when it was last reported. */
  readonly #cpuAtStart: number;
  #reportedAt: number;

  constructor(to: Duplex, cpuAtStart: number) {
    this.#to = to;
    this.#cpuAtStart = cpuAtStart;
    this.#reportedAt = cpuAtStart;
  }

  begin({ name, format, charset, grid, before }: TextPart): void {
    const text = { name, format, charset, grid: grid ?? null, before: before ?? null };
    this.#wait({ is: 'begin', text });
  }

  text(bytes: Uint8Array): void {
    this.#reportCpu();
    sendBytes(this.#to, bytes, this.#waiting);
    this.#waiting = [];
  }

  end(): void {
    this.#wait({ is: 'end' });
  }

  /** Nothing follows. */
  finish(): void {
    for (const frame of this.#waiting) this.#to.write(frame);
    this.#waiting = [];
  }

  /** The thread that processes the text uses CPU time as well: both together must stay within the object's limit. */
  #reportCpu(): void {
    const now = processCpuMs();
    if (now - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = now;
    this.#wait({ is: 'spent', cpuMs: now - this.#cpuAtStart });
  }

  #wait(message: Message): void {
    this.#waiting.push(messageFrame(message));
    if (this.#waiting.length >= MAX_WAITING) this.finish();
  }

  async room(): Promise<void> {
    if (this.#to.writableNeedDrain) await once(this.#to, 'drain');
  }
}
