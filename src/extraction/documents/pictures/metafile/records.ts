import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../../formats/byte-queue.ts';

/** The record structure of a format. */
export interface RecordForm {
  readonly name: string;
  /** Of a record's type and its length. */
  readonly headBytes: number;
  /** The length in bytes, the head included. */
  head(bytes: Buffer): { readonly type: number; readonly size: number };
  readonly end: number;
  /** The record types to parse, with their minimum lengths. */
  readonly min: Readonly<Record<number, number>>;
  readonly bitmaps: ReadonlySet<number>;
}

/** `bytes`: including the header; null if its type is not parsed. */
export interface MetafileRecord {
  readonly type: number;
  readonly bytes: Buffer | null;
}

/** What was seen of a metafile besides its text. */
export interface HiddenContent {
  /** Bitmaps, or glyphs of a font, on which there may be text as well. */
  unseen: boolean;
}

/** Fills of an area are written as bitmaps without any bits. */
const MIN_BITMAP = 512;
/** Longer ones hold bitmaps. */
const MAX_LENGTH = 4 * 1024 * 1024;
const STEP = 64 * 1024;

/** Iterates over the records up to the end record. Each is valid until the next one is requested. */
export async function* recordsOf(
  queue: ByteQueue,
  form: RecordForm,
  sight: HiddenContent,
): AsyncGenerator<MetafileRecord> {
  const { name, headBytes, end, min, bitmaps } = form;
  for (;;) {
    const start = bufferOf(await queue.take(headBytes));
    if (start.length < headBytes) throw new CorruptInput(`truncated ${name}`);
    const { type, size } = form.head(start);
    if (type === end) return;
    if (size < (min[type] ?? headBytes)) throw new CorruptInput(name);
    const long = size > MAX_LENGTH;
    if (bitmaps.has(type) ? size >= MIN_BITMAP : long) sight.unseen = true;
    if (min[type] === undefined || long) {
      yield { type, bytes: null };
      await skip(queue, size - headBytes, name);
    } else {
      queue.unread(headBytes);
      const bytes = bufferOf(await queue.take(size));
      if (bytes.length < size) throw new CorruptInput(`truncated ${name}`);
      yield { type, bytes };
    }
  }
}

/** Skips data without buffering it. */
export async function skip(queue: ByteQueue, count: number, name: string): Promise<void> {
  for (let left = count; left > 0; ) {
    const { length } = await queue.take(Math.min(left, STEP));
    if (length === 0) throw new CorruptInput(`truncated ${name}`);
    left -= length;
  }
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
