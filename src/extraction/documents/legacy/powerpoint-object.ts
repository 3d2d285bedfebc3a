import { createInflate } from 'node:zlib';
import type { Budget } from '../../budget.ts';
import { ByteQueue } from '../../formats/byte-queue.ts';
import { CHUNK_SIZE, inflate } from '../../formats/packed/inflation.ts';
import type { Entry, RandomAccess } from '../../piece.ts';
import { chunksOf } from '../stream-chunks.ts';
import type { PowerPointRecord } from './powerpoint-records.ts';

const COMPRESSED = 1;
/** Before compressed data stands how long it was. */
const SIZE_BYTES = 4;

/** A sheet, a diagram or another document within the presentation: a compound file of its own. */
export function embeddedObject(
  stream: RandomAccess,
  { from, to, instance }: PowerPointRecord,
  name: string,
  budget: Budget,
): Entry {
  budget.entry();
  const bytes =
    instance === COMPRESSED
      ? unpacked(chunksOf(stream, from + SIZE_BYTES, to), budget)
      : chunksOf(stream, from, to);
  return { is: 'entry', name, bytes };
}

async function* unpacked(chunks: AsyncGenerator<Uint8Array>, budget: Budget): AsyncGenerator<Uint8Array> {
  const queue = new ByteQueue(chunks);
  let out = 0;
  for await (const piece of inflate(createInflate({ chunkSize: CHUNK_SIZE }), queue, 'embedded object')) {
    out += piece.length;
    budget.unpacked(piece.length);
    budget.ratio(out, queue.taken);
    yield piece;
  }
}
