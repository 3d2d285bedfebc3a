/** Rows with values too long to keep in memory are written in parts as they are read. */

import type { TextChunk } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { ByteQueue } from '../../../formats/byte-queue.ts';
import type { CellWriter } from '../cell-writer.ts';
import { isPlainText, wholeCharacters } from '../plain-text.ts';
import type { TextEncoding } from './database.ts';
import { headOf, isText, type RowShape, sizeOf, writeDefaults, writeValue } from './record.ts';
import { Varints } from './varints.ts';

const MAX_HEAD_LENGTH = 1024 * 1024;
const PART = 64 * 1024;

export async function* writeLongRecord(
  out: CellWriter,
  parts: AsyncGenerator<Uint8Array>,
  { encoding, rowidAt, defaults }: RowShape,
  rowid: number | bigint,
): AsyncGenerator<TextChunk> {
  const queue = new ByteQueue(parts);
  const head = await takeHead(queue);
  const { types, end } = headOf(head, 0, head.length);
  let count = 0;
  for (; types.at < end; count++) {
    const type = Number(types.next());
    const size = sizeOf(type);
    if (count === rowidAt && type === 0) out.integer(rowid);
    else if (size > PART) yield* writeLongValue(out, queue, size, isText(type), encoding);
    else writeValue(out, type, await takeAll(queue, size), 0, size, encoding);
    out.nextCell();
  }
  writeDefaults(out, defaults, count);
}

async function takeHead(queue: ByteQueue): Promise<Uint8Array> {
  const start = await queue.take(9);
  const size = Number(new Varints(start, 0, start.length).next());
  queue.unread(start.length);
  if (!(size <= MAX_HEAD_LENGTH)) throw new CorruptInput('SQLite record');
  return (await takeAll(queue, size)).slice();
}

async function* writeLongValue(
  out: CellWriter,
  queue: ByteQueue,
  size: number,
  text: boolean,
  encoding: TextEncoding,
): AsyncGenerator<TextChunk> {
  const decoder =
    text && encoding !== 'utf8' ? new TextDecoder(encoding === 'utf16le' ? 'utf-16le' : 'utf-16be') : null;
  let written = true;
  for (let left = size; left > 0; ) {
    const part = await takeAll(queue, Math.min(left, PART));
    // The first part decides for all whether bytes of unknown meaning are text.
    if (left === size && !text) written = isPlainText(part, 0, wholeCharacters(part, part.length));
    left -= part.length;
    if (decoder !== null) out.text(decoder.decode(part, { stream: left > 0 }));
    else if (written) out.bytes(part, 0, part.length);
    if (out.full) yield* out.take();
  }
}

async function takeAll(queue: ByteQueue, count: number): Promise<Uint8Array> {
  const bytes = await queue.take(count);
  if (bytes.length < count) throw new CorruptInput('SQLite record');
  return bytes;
}
