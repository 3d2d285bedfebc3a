/**
 * SQLite's database files, table by table, without the library and without a copy: pages are read where they lie, each
 * at most once. Indexes hold nothing that tables don't; what was deleted is not looked for.
 */
import type { Budget } from '../../budget.ts';
import type { Piece, RandomAccess } from '../../piece.ts';
import { Setbacks } from '../setbacks.ts';
import { CellWriter } from './cell-writer.ts';
import { openDatabase } from './sqlite/database.ts';
import { listTables } from './sqlite/schema.ts';
import { TableReader } from './sqlite/table.ts';

export async function* readSqlite(input: RandomAccess, budget: Budget): AsyncGenerator<Piece> {
  const database = await openDatabase(input);
  const out = new CellWriter(budget, input.size);
  const setbacks = new Setbacks();
  const reader = new TableReader(database, out, setbacks, budget);
  for await (const table of listTables(database, setbacks)) {
    try {
      yield* reader.read(table);
    } catch (error) {
      yield* out.take();
      setbacks.note(error);
    }
  }
  setbacks.finish();
}
