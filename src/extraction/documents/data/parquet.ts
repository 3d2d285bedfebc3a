/**
 * Parquet: row group by row group, column by column, page by page. A column of a row group becomes a table of one
 * column whose rows have the numbers they have in the file; its bytes are read once, forward, and one page is held at a
 * time. Pages are read here and not by a library: those make an object of every value, and trust every count.
 */
import type { Budget } from '../../budget.ts';
import type { Piece, RandomAccess } from '../../piece.ts';
import { Setbacks } from '../setbacks.ts';
import { CellWriter } from './cell-writer.ts';
import { noteText } from './note-text.ts';
import { type ChunkSource, readChunk } from './parquet/chunk.ts';
import { type Footer, readFooter } from './parquet/footer.ts';
import { giveKernelBack, type Kernel, takeKernel } from './parquet/kernel/kernel.ts';
import { Spending } from './parquet/spending.ts';
import { ReadAhead } from './read-ahead.ts';

/** Arrow repeats the schema in a form of its own, which is no text. */
const REPEATED_SCHEMA = 'ARROW:schema';

export async function* readParquet(input: RandomAccess, budget: Budget): AsyncGenerator<Piece> {
  const footer = await readFooter(input);
  const setbacks = new Setbacks();
  const kernel = takeKernel();
  try {
    yield* readRowGroups(input, budget, footer, setbacks, kernel);
  } finally {
    giveKernelBack(kernel);
  }
  for (const { key, value } of footer.notes()) if (key !== REPEATED_SCHEMA) yield* noteText(key, value);
  setbacks.finish();
}

async function* readRowGroups(
  input: RandomAccess,
  budget: Budget,
  { columns, rowGroups }: Footer,
  setbacks: Setbacks,
  kernel: Kernel | null,
): AsyncGenerator<Piece> {
  const { size } = input;
  const out = new CellWriter(budget, size);
  const scratch = new CellWriter(budget, size);
  const spending = new Spending(budget, size);
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
        setbacks.note(error);
      }
    }
    firstRow += rows;
  }
}
