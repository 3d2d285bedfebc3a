import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { addResults } from '../hooks/hooks.fixture.ts';
import { readScan, type ScanRow } from '../lifecycle/scan-store.ts';
import { findingsOf } from './finding-store.ts';

const OBJECTS = 12;
const FINDINGS = 30;

let db: Database;
let scan: ScanRow;
beforeAll(async () => {
  db = await freshDatabase();
  const id = await plannedScan(db, createMemorySource({}));
  await addResults(db, id, OBJECTS, FINDINGS);
  scan = (await readScan(db, id))!;
});
afterAll(() => db.close());

/** Records the maximum number of findings returned by one statement. */
function measured(): { db: Queryable; most: () => number } {
  let most = 0;
  return {
    db: {
      async query<Row>(sql: string, params?: readonly unknown[]) {
        const result = await db.query<Row>(sql, params);
        if (sql.includes('from finding')) most = Math.max(most, result.rows.length);
        return result;
      },
    },
    most: () => most,
  };
}

async function placesOf(on: Queryable, page?: number): Promise<string[]> {
  const places: string[] = [];
  for await (const { object, finding } of findingsOf(on, scan, () => true, page))
    places.push(`${object.key} ${finding.start}`);
  return places;
}

describe('the findings of a scan', () => {
  it.each([1, 7, FINDINGS, FINDINGS + 1, 2 * FINDINGS + 1, 10_000])(
    'are read %i at a time at most, all of them and in order',
    async (page) => {
      const { db: on, most } = measured();
      const places = await placesOf(on, page);
      expect(most()).toBeLessThanOrEqual(page);
      expect(new Set(places).size).toBe(OBJECTS * FINDINGS);
      expect(places).toEqual(await placesOf(db));
    },
  );

  it('are those of the requested objects only', async () => {
    const keys = new Set<string>();
    for await (const { object } of findingsOf(db, scan, ({ key }) => key.endsWith('3.csv')))
      keys.add(object.key);
    expect([...keys].every((key) => key.endsWith('3.csv'))).toBe(true);
    expect(keys.size).toBeGreaterThan(0);
  });
});
