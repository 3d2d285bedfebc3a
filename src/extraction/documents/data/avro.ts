/**
 * Avro's container files: a schema, then blocks of records. A file may end after any block, so what was cut off there is not missed;
 * what was cut off anywhere else is. A block that can't be read is no reason to leave the next ones: their borders are known.
 *
 * Format: Apache Avro 1.11 Specification, "Object Container Files" and "Binary Encoding".
 *
 * No library: avsc ends silently at a truncated file, so data that was not read would be reported as clean.
 */
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, TextChunk } from '../../document-item.ts';
import { CorruptInput, LimitExceeded } from '../../extraction-error.ts';
import { PartErrors } from '../part-errors.ts';
import { AvroBytes, outOfData } from './avro/avro-bytes.ts';
import { BlockUnpacker } from './avro/avro-codecs.ts';
import { type Columns, columnsOf } from './avro/avro-columns.ts';
import { type AvroHeader, readHeader, SYNC_BYTES } from './avro/avro-header.ts';
import { parseSchema } from './avro/avro-schema.ts';
import { writeRow } from './avro/avro-values.ts';
import { CellWriter } from './cell-writer.ts';
import { noteText } from './note-text.ts';
import { ReadAhead } from './read-ahead.ts';

const SCHEMA = 'avro.schema';
const CODEC = 'avro.codec';
/** Two numbers precede a block. */
const MAX_HEAD_LENGTH = 20;

export async function* readAvro(input: RandomAccess, budget: ExtractionBudget): AsyncGenerator<DocumentItem> {
  const source = new ReadAhead(input);
  const header = await readHeader(source);
  for (const [key, value] of header.metadata)
    if (key !== SCHEMA && key !== CODEC) yield* noteText(key, value);
  const columns = columnsOf(parseSchema(textIn(header, SCHEMA) ?? ''));
  const unpacker = new BlockUnpacker(textIn(header, CODEC) ?? 'null', budget);
  const out = new CellWriter(budget, input.size);
  try {
    yield* readBlocks(
      blocksOf(source, header, input.size, unpacker.mostBlock),
      unpacker,
      columns,
      out,
      budget,
    );
  } catch (error) {
    yield* out.take();
    throw error;
  }
  yield* out.take();
}

async function* readBlocks(
  blocks: AsyncGenerator<Block>,
  unpacker: BlockUnpacker,
  columns: Columns,
  out: CellWriter,
  budget: ExtractionBudget,
): AsyncGenerator<TextChunk> {
  const errors = new PartErrors();
  let row = 1;
  out.begin(null, columns.names, row);
  for await (const block of blocks) {
    row += block.count;
    try {
      const data = new AvroBytes(await unpacker.unpack(block.bytes));
      yield* rowsOf(data, block.count, columns, out, budget);
    } catch (error) {
      yield* out.take();
      errors.record(block.whole || error instanceof LimitExceeded ? error : truncated());
      out.begin(null, columns.names, row);
    }
    if (!block.whole) errors.record(truncated());
  }
  errors.throwFirst();
}

interface Block {
  readonly count: number;
  readonly bytes: Uint8Array;
  /** The file doesn't end within it. */
  readonly whole: boolean;
}

async function* blocksOf(
  source: ReadAhead,
  { end, sync }: AvroHeader,
  size: number,
  maxBlock: number,
): AsyncGenerator<Block> {
  for (let at = end; at < size; ) {
    const head = new AvroBytes(await source.read(at, MAX_HEAD_LENGTH));
    const [count, length] = blockHead(head, at + MAX_HEAD_LENGTH > size);
    at += head.at;
    if (length > maxBlock) throw length > size - at ? truncated() : new LimitExceeded('Avro block');
    const bytes = await source.read(at, length + SYNC_BYTES);
    at += length + SYNC_BYTES;
    const whole = at <= size;
    if (whole && Buffer.compare(bytes.subarray(length), sync) !== 0)
      throw new CorruptInput('Avro sync marker');
    yield { count, bytes: bytes.subarray(0, length), whole };
  }
}

function blockHead(head: AvroBytes, last: boolean): [count: number, length: number] {
  try {
    return [head.size(), head.size()];
  } catch (error) {
    throw last && head.left < 0 ? truncated() : error;
  }
}

function* rowsOf(
  data: AvroBytes,
  count: number,
  { names, row }: Columns,
  out: CellWriter,
  budget: ExtractionBudget,
): Generator<TextChunk> {
  for (let left = count; left > 0; left--) {
    budget.countCells(names?.length ?? 1);
    writeRow(out, data, row);
    out.endRow();
    if (out.full) yield* out.take();
  }
  if (data.left > 0) throw outOfData();
}

function textIn({ metadata }: AvroHeader, key: string): string | null {
  const value = metadata.get(key);
  return value === undefined ? null : Buffer.from(value).toString('utf8');
}

function truncated(): CorruptInput {
  return new CorruptInput('truncated Avro file');
}
