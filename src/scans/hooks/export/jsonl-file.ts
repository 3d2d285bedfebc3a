import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Row } from './table.ts';

/** Rows are written in batches: a write per row would cost more than the row. */
const BATCH = 64 * 1024;

export async function* jsonlFile(rows: AsyncIterable<Row>): AsyncGenerator<Uint8Array> {
  let batch = '';
  for await (const row of rows) {
    batch += `${JSON.stringify(row)}\n`;
    if (batch.length < BATCH) continue;
    yield Buffer.from(batch);
    batch = '';
  }
  if (batch !== '') yield Buffer.from(batch);
}

/** Deterministic: the gzip header contains no time. */
export function jsonlGzipFile(rows: AsyncIterable<Row>): AsyncIterable<Uint8Array> {
  const packed: AsyncIterable<Uint8Array> = Readable.from(jsonlFile(rows), {
    objectMode: true,
    highWaterMark: 1,
  }).compose(createGzip());
  return packed;
}
