import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { Random } from '../../examples/generator/random.ts';
import { scaled } from '../benchmark.ts';
import { COLUMNS, customerRow, customerRows } from './content.ts';
import { duckdbLengths, duckdbText, nodeSqlite } from './module-competitors.ts';
import type { DocumentSet } from './set.ts';

const FILES = 4;

export const DATA_SETS: readonly DocumentSet[] = [
  {
    format: 'parquet',
    about: 'of 300,000 rows',
    async make(folder, bench) {
      const random = new Random(bench.seed, 'parquet');
      for (let n = 0; n < FILES; n++) {
        const rows = customerRows(random, scaled(bench, 300_000, 1000));
        const columnData = COLUMNS.map((name, i) => ({ name, data: rows.map((row) => row[i]) }));
        const bytes = parquetWriteBuffer({ columnData, rowGroupSize: 100_000 });
        writeFileSync(join(folder, `${n}.parquet`), new Uint8Array(bytes));
      }
      return FILES;
    },
    competitors: [duckdbLengths, duckdbText],
  },
  {
    format: 'sqlite',
    about: 'of 300,000 rows',
    async make(folder, bench) {
      const random = new Random(bench.seed, 'sqlite');
      for (let n = 0; n < FILES; n++)
        writeDatabase(join(folder, `${n}.sqlite`), random, scaled(bench, 300_000, 1000));
      return FILES;
    },
    competitors: [nodeSqlite],
  },
];

function writeDatabase(path: string, random: Random, rows: number): void {
  const database = new DatabaseSync(path);
  database.exec(`create table customer (${COLUMNS.join(', ')}); begin`);
  const insert = database.prepare(`insert into customer values (${COLUMNS.map(() => '?').join()})`);
  for (let id = 1; id <= rows; id++) insert.run(...customerRow(random, id));
  database.exec('commit');
  database.close();
}
