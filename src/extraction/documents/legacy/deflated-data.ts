import { createInflate } from 'node:zlib';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../document-item.ts';
import { CorruptInput } from '../../extraction-error.ts';
import { ByteQueue } from '../../formats/byte-queue.ts';
import { CHUNK_SIZE, inflate } from '../../formats/compression/deflate/inflation.ts';
import { chunksOf } from '../stream-chunks.ts';

const WHAT = 'embedded object';

/** `size`: when it is unpacked. PowerPoint since 2007 does not mark the end: what is as long as it was is whole. */
export async function* deflatedData(
  stream: RandomAccess,
  { from, to, size }: { readonly from: number; readonly to: number; readonly size: number },
  budget: ExtractionBudget,
): AsyncGenerator<Uint8Array> {
  const queue = new ByteQueue(chunksOf(stream, from, to));
  let out = 0;
  try {
    for await (const chunk of inflate(createInflate({ chunkSize: CHUNK_SIZE }), queue, WHAT)) {
      out += chunk.length;
      budget.countDecompressed(chunk.length);
      budget.checkRatio(out, queue.taken);
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof CorruptInput) || out !== size) throw error;
  }
}
