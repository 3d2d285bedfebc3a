/**
 * Parquet: row group by row group, column by column, page by page. A column of a row group becomes a table of one column whose rows
 * have the numbers they have in the file; its bytes are read once, forward, and one page is held at a time.
 *
 * Format: apache/parquet-format 2.10: README.md, Encodings.md, Compression.md and parquet.thrift.
 *
 * No library: hyparquet makes an object of every value and trusts every count, so a small file can exhaust memory.
 */
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess } from '../../document-item.ts';
import { PartErrors } from '../part-errors.ts';
import { CellWriter } from './cell-writer.ts';
import { noteText } from './note-text.ts';
import { type ChunkSource, readChunk } from './parquet/chunk.ts';
import { type Footer, readFooter } from './parquet/footer.ts';
import { acquireKernel, type Kernel, releaseKernel } from './parquet/kernel/kernel.ts';
import { PageBudget } from './parquet/page-budget.ts';
import { ReadAhead } from './read-ahead.ts';

/** Arrow repeats the schema in a form of its own, which is no text. */
const REPEATED_SCHEMA = 'ARROW:schema';

export async function* readParquet(
  input: RandomAccess,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  const footer = await readFooter(input);
  const errors = new PartErrors();
  const kernel = acquireKernel();
  try {
    yield* readRowGroups(input, budget, footer, errors, kernel);
  } finally {
    releaseKernel(kernel);
  }
  for (const { key, value } of footer.notes()) if (key !== REPEATED_SCHEMA) yield* noteText(key, value);
  errors.throwFirst();
}

async function* readRowGroups(
  input: RandomAccess,
  budget: ExtractionBudget,
  { columns, rowGroups }: Footer,
  errors: PartErrors,
  kernel: Kernel | null,
): AsyncGenerator<DocumentItem> {
  const { size } = input;
  const out = new CellWriter(budget, size);
  const scratch = new CellWriter(budget, size);
  const spending = new PageBudget(budget, size);
  const from: ChunkSource = { source: new ReadAhead(input), size, spending, out, scratch, kernel };
  let firstRow = 1;
  for (const { rows, chunks } of rowGroups()) {
    for (const [i, chunk] of chunks.entries()) {
      const column = columns[i]!;
      out.begin(null, [column.name], firstRow);
      try {
        yield* readChunk(from, chunk, column, rows);
      } catch (error) {
        yield* out.take();
        errors.record(error);
      }
    }
    firstRow += rows;
  }
}
