import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const BATCH = 64 * 1024;

/**
 * Writes text to a stream with backpressure. The stream is left open: it may be stdout. An error on either side ends the other, so a
 * broken pipe also ends the query that yields the findings.
 */
export async function writeChunks(
  chunks: AsyncIterable<string> | Iterable<string>,
  out: Writable,
): Promise<void> {
  await pipeline(Readable.from(batched(chunks), { objectMode: true, highWaterMark: 1 }), out, { end: false });
}

/** Joins chunks to batches: one write for each finding would cost more than producing it. */
async function* batched(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let batch = '';
  for await (const chunk of chunks) {
    batch += chunk;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}
