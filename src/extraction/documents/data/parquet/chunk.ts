/** One column of one row group: its pages in sequence, one in memory at a time. */

import type { TextChunk } from '../../../document-item.ts';
import { CorruptInput, Encrypted, Unsupported } from '../../../extraction-error.ts';
import { PartLimitExceeded } from '../../part-errors.ts';
import { type BlockCodec, unpackBlock } from '../block-codecs.ts';
import type { CellWriter } from '../cell-writer.ts';
import { unlz4, unlz4Framed } from '../lz4.ts';
import type { ReadAhead } from '../read-ahead.ts';
import { type FastSnappy, unsnappy } from '../snappy.ts';
import { type ColumnCodec, columnCodec, isBson } from './column-codec.ts';
import { Dictionary } from './dictionary.ts';
import type { Chunk } from './footer.ts';
import { keepDictionary } from './keep-dictionary.ts';
import type { Kernel } from './kernel/kernel.ts';
import { pageOf, RowsOfColumn } from './page.ts';
import type { PageBudget } from './page-budget.ts';
import { type PageHeader, readPageHeader } from './page-header.ts';
import type { Column } from './schema.ts';

/** Old writers forgot to count the header of the dictionary. */
const SLACK = 128;

export interface ChunkSource {
  readonly source: ReadAhead;
  readonly size: number;
  readonly spending: PageBudget;
  readonly out: CellWriter;
  /** For what is not written yet. */
  readonly scratch: CellWriter;
  readonly kernel: Kernel | null;
}

export async function* readChunk(
  from: ChunkSource,
  chunk: Chunk,
  column: Column,
  rows: number,
): AsyncGenerator<TextChunk> {
  const { source, size, spending, out, kernel } = from;
  const codec = columnCodec(column);
  if (chunk.encrypted) throw new Encrypted();
  if (chunk.elsewhere) throw new Unsupported('Parquet column in another file');
  if (isBson(column)) throw new Unsupported('Parquet BSON');
  if (codec === null || chunk.values === 0) return;
  if (chunk.type !== column.element.type) throw new CorruptInput('Parquet schema');
  const end = Math.min(size, chunk.end + SLACK);
  const rowsOf = new RowsOfColumn(column, out, kernel);
  kernel?.begin();
  let dictionary: Dictionary | null = null;
  let seen = 0;
  for (let at = chunk.start; seen < chunk.values; ) {
    if (!(at >= 4 && at < Math.min(chunk.end, size))) throw new CorruptInput('truncated Parquet column');
    const header = await readPageHeader(source, at, end, spending);
    at = header.start + header.compressedSize;
    if (at > end) throw new CorruptInput('truncated Parquet column');
    if (header.kind === 'other') continue;
    const page = await pageBytes(from, header, chunk.codec);
    const held = codec.min !== undefined || dictionary?.kept;
    const bytes = (held && kernel?.hold(page)) || page;
    if (header.kind === 'dictionary') {
      const often = column.maxRepetition === 0 && header.values <= chunk.values;
      dictionary = dictionaryOf(from, bytes, header, codec, often);
      continue;
    }
    spending.budget.countCells(header.values);
    seen += header.values;
    yield* rowsOf.read(pageOf(bytes, header, column, codec, dictionary, kernel));
  }
  rowsOf.end();
  yield* out.take();
  if (rowsOf.count !== rows) throw new CorruptInput('Parquet row count');
}

async function pageBytes(
  { source, spending, kernel }: ChunkSource,
  header: PageHeader,
  codec: number,
): Promise<Uint8Array> {
  const { start, compressedSize, uncompressedSize } = header;
  if (Math.max(compressedSize, uncompressedSize) > spending.maxPage)
    throw new PartLimitExceeded('Parquet page');
  spending.countBytes(uncompressedSize);
  const bytes = await source.read(start, compressedSize);
  if (bytes.length < compressedSize) throw new CorruptInput('truncated Parquet column');
  const levels = header.definitionBytes + header.repetitionBytes;
  if (header.kind !== 'data v2') return unpackPage(codec, bytes, uncompressedSize, kernel);
  if (!header.compressed) return bytes;
  // The levels of such pages are never compressed.
  const values = unpackPage(codec, bytes.subarray(levels), uncompressedSize - levels, kernel);
  return levels === 0 ? values : Buffer.concat([bytes.subarray(0, levels), values]);
}

function dictionaryOf(
  { kernel, out, scratch }: ChunkSource,
  page: Uint8Array,
  { values }: PageHeader,
  codec: ColumnCodec,
  often: boolean,
): Dictionary {
  const dictionary = new Dictionary(kernel?.holds(page) ? page.slice() : page, values, codec);
  if (kernel === null || !often) return dictionary;
  const length = keepDictionary(page, values, codec, kernel, scratch);
  dictionary.kept = length !== null;
  out.skip(length ?? 0);
  return dictionary;
}

const UNCOMPRESSED = 0;
const SNAPPY = 1;
const LZ4_HADOOP = 5;
const LZ4_RAW = 7;
const ENGINES: ReadonlyMap<number, BlockCodec> = new Map([
  [2, 'gzip'],
  [4, 'brotli'],
  [6, 'zstd'],
]);

/** A page must have exactly the length in its header. LZO is unsupported, because it is obsolete. */
function unpackPage(codec: number, bytes: Uint8Array, length: number, fast: FastSnappy | null): Uint8Array {
  const page = unpack(codec, bytes, length, fast);
  if (page.length !== length) throw new CorruptInput('Parquet page');
  return page;
}

function unpack(codec: number, bytes: Uint8Array, length: number, fast: FastSnappy | null): Uint8Array {
  if (codec === UNCOMPRESSED || length === 0) return bytes.subarray(0, length);
  if (codec === SNAPPY) return unsnappy(bytes, length, fast);
  if (codec === LZ4_RAW) return unlz4(bytes, length);
  if (codec === LZ4_HADOOP) return unlz4Framed(bytes, length) ?? unlz4(bytes, length);
  const engine = ENGINES.get(codec);
  if (engine === undefined) throw new Unsupported('Parquet codec');
  return unpackBlock(engine, bytes, length, length);
}
