/**
 * Reads SQLite database files table by table, without the library and without a copy: each page is read at most once. Indexes contain
 * nothing that tables don't; deleted rows are not recovered.
 *
 * Format: "Database File Format" (sqlite.org/fileformat2.html).
 *
 * No library: node:sqlite needs the whole file on disk, runs native code on it in the reader process, and ends a table at its first
 * damaged page.
 */
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess } from '../../document-item.ts';
import { PartErrors } from '../part-errors.ts';
import { CellWriter } from './cell-writer.ts';
import { openDatabase } from './sqlite/database.ts';
import { listTables } from './sqlite/schema.ts';
import { TableReader } from './sqlite/table.ts';

export async function* readSqlite(
  input: RandomAccess,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  const database = await openDatabase(input);
  const out = new CellWriter(budget, input.size);
  const errors = new PartErrors();
  const reader = new TableReader(database, out, errors, budget);
  for await (const table of listTables(database, errors)) {
    try {
      yield* reader.read(table);
    } catch (error) {
      yield* out.take();
      errors.record(error);
    }
  }
  errors.throwFirst();
}
