import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isNonTransactional } from './migrate-non-transactional.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
/** Since then: the tables of earlier versions were small when these were written, and files that were applied must not change. */
const FIRST = '0023';

it('migrations of tables that are there already build indexes and change rows outside of a transaction', () => {
  const wrong = readdirSync(FOLDER)
    .filter((file) => file >= FIRST)
    .flatMap((file) =>
      changesOfOldTables(readFileSync(join(FOLDER, file), 'utf8')).map((change) => `${file}: ${change}`),
    );
  expect(wrong).toEqual([]);
});

function changesOfOldTables(sql: string): string[] {
  if (isNonTransactional(sql)) return [];
  const own = new Set([...sql.matchAll(/^create table (\w+)/gm)].map(([, table]) => table));
  const changes = sql.matchAll(/^\s*(?:create (?:unique )?index \w+\s+on|update|delete from) (\w+)/gm);
  return [...changes].flatMap(([change, table]) => (own.has(table) ? [] : change.trim()));
}
