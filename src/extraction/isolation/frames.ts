/** What crosses between Seine and the process that reads documents: a length, a type, and bytes or JSON. */
import type { Writable } from 'node:stream';
import type { ExtractionUsage } from '../budget/extraction-budget.ts';
import type { ExtractionLimits } from '../budget/limits.ts';
import type { ReadingOptions } from '../document-item.ts';
import type { EmbeddedPath } from '../embedded-path.ts';
import type { ExtractionResult, Format, PrecedingText } from '../extraction.ts';
import type { ByteQueue } from '../formats/byte-queue.ts';
import type { Grid } from '../grid.ts';
import type { DocumentType } from '../sniff/readable.ts';

/** `whole`: all bytes follow immediately; else they are requested. */
export interface Job {
  readonly document: DocumentType;
  readonly size: number;
  readonly whole: boolean;
  readonly path: EmbeddedPath;
  readonly limits: ExtractionLimits;
  readonly usage: ExtractionUsage;
  readonly options: ReadingOptions;
}

export interface TextBegins {
  readonly name: string | null;
  readonly format: Format;
  readonly charset: 'utf-8' | 'latin1';
  readonly grid: Grid | null;
  readonly before: PrecedingText | null;
}

export interface JobDone {
  readonly result: ExtractionResult;
  readonly usage: ExtractionUsage;
  /** Of the process, in bytes. */
  readonly memory: number;
  /** Of the process since it was started. */
  readonly cpuSeconds: number;
}

/** Bytes of the document, at most `MOST_BYTES`. */
export interface Need {
  readonly is: 'need';
  readonly from: number;
  readonly to: number;
}

export type Message =
  | { readonly is: 'job'; readonly job: Job }
  | Need
  | { readonly is: 'begin'; readonly text: TextBegins }
  | { readonly is: 'end' }
  /** CPU time of the document in the process so far. */
  | { readonly is: 'spent'; readonly cpuMs: number }
  | { readonly is: 'done'; readonly done: JobDone }
  /** Something that no reader foresaw. */
  | { readonly is: 'failed'; readonly message: string };

/** Of the document, or of its text. */
export interface Bytes {
  readonly is: 'bytes';
  readonly bytes: Uint8Array;
}

/** Maximum bytes per frame. A longer one is rejected: neither side lets the other determine how much memory it allocates. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Of a message; the widest tables have long lists of columns. */
const MAX_MESSAGE = 16 * 1024 * 1024;

const HEADER = 5;
const MESSAGE = 1;
const BYTES = 2;

export function sendMessage(to: Writable, message: Message): void {
  to.write(messageFrame(message));
}

export function messageFrame(message: Message): Buffer {
  return frameOf(MESSAGE, Buffer.from(JSON.stringify(message)));
}

/** They are copied: the caller may use their memory again. `before`: frames that are sent with them. */
export function sendBytes(to: Writable, bytes: Uint8Array, before: readonly Buffer[]): void {
  const frame = frameOf(BYTES, bytes.subarray(0, MAX_BYTES));
  to.write(before.length === 0 ? frame : Buffer.concat([...before, frame]));
  if (bytes.length > MAX_BYTES) sendBytes(to, bytes.subarray(MAX_BYTES), []);
}

/** At most `MOST_BYTES`. They are not copied: they stay as they are. */
export function giveBytes(to: Writable, bytes: Uint8Array): void {
  to.cork();
  to.write(head(Buffer.allocUnsafe(HEADER), BYTES, bytes.length));
  to.write(bytes);
  to.uncork();
}

function frameOf(type: number, payload: Uint8Array): Buffer {
  const frame = head(Buffer.allocUnsafe(HEADER + payload.length), type, payload.length);
  frame.set(payload, HEADER);
  return frame;
}

function head(frame: Buffer, type: number, length: number): Buffer {
  frame.writeUInt32LE(length, 0);
  frame[4] = type;
  return frame;
}

/** The next message; its bytes are valid until the next call. Null: the other side closed the connection, or violated the protocol. */
export async function receive(queue: ByteQueue): Promise<Message | Bytes | null> {
  const header = await queue.take(HEADER);
  if (header.length < HEADER) return null;
  const length = new DataView(header.buffer, header.byteOffset).getUint32(0, true);
  const type = header[4];
  if (length > (type === BYTES ? MAX_BYTES : MAX_MESSAGE)) return null;
  const payload = await queue.take(length);
  if (payload.length < length) return null;
  if (type === BYTES) return { is: 'bytes', bytes: payload };
  return JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString()) as Message;
}
