import { createInflate } from 'node:zlib';
import type { Budget } from '../../budget.ts';
import { ByteQueue } from '../../formats/byte-queue.ts';
import { CHUNK_SIZE, inflate } from '../../formats/packed/inflation.ts';
import { Damage } from '../../obstacle.ts';
import type { Entry, RandomAccess } from '../../piece.ts';
import { chunksOf } from '../stream-chunks.ts';
import { uint32 } from './biff-records.ts';
import type { PowerPointRecord } from './powerpoint-records.ts';

const COMPRESSED = 1;
/** Before compressed data stands how long it was. */
const SIZE_BYTES = 4;
const WHAT = 'embedded object';

/** A sheet, a diagram or another document within the presentation: a compound file of its own. */
export function embeddedObject(
  stream: RandomAccess,
  { from, to, instance }: PowerPointRecord,
  name: string,
  budget: Budget,
): Entry {
  budget.entry();
  const bytes = instance === COMPRESSED ? unpacked(stream, from, to, budget) : chunksOf(stream, from, to);
  return { is: 'entry', name, bytes };
}

async function* unpacked(
  stream: RandomAccess,
  from: number,
  to: number,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  const size = uint32(await stream.read(from, from + SIZE_BYTES), 0);
  yield* unpackedOf(stream, { from: from + SIZE_BYTES, to, size }, budget);
}

/** PowerPoint since 2007 does not mark the end of compressed data: what is as long as it was is whole. */
export async function* unpackedOf(
  stream: RandomAccess,
  { from, to, size }: { readonly from: number; readonly to: number; readonly size: number },
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  const queue = new ByteQueue(chunksOf(stream, from, to));
  let out = 0;
  try {
    for await (const piece of inflate(createInflate({ chunkSize: CHUNK_SIZE }), queue, WHAT)) {
      out += piece.length;
      budget.unpacked(piece.length);
      budget.ratio(out, queue.taken);
      yield piece;
    }
  } catch (error) {
    if (!(error instanceof Damage) || out !== size) throw error;
  }
}
