import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const BATCH = 64 * 1024;

/**
 * Writes text to a stream as fast as the stream takes it and no faster. The stream is left open: it may be stdout.
 * When either side fails the other is told, so a broken pipe ends the query behind the findings, too.
 */
export async function writeChunks(
  chunks: AsyncIterable<string> | Iterable<string>,
  out: Writable,
): Promise<void> {
  await pipeline(Readable.from(batched(chunks), { objectMode: true, highWaterMark: 1 }), out, { end: false });
}

/** A write per finding would cost more than the finding: some hundred go together. */
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
