/**
 * A path may have 4,096 bytes and an object store's prefix 1,024; an entry of a btree index at most 2,704.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { plannedScan } from '../../test/support/scan.ts';
import { wholeScan } from '../../test/support/whole-scan.ts';
import type { Database } from '../db/database.ts';
import { createMemorySource, type MemorySource } from '../sources/memory/memory.ts';
import { previousScan } from './comparing/previous-store.ts';
import { pruneInventories } from './inventory/inventory-store.ts';
import { findBase, readScan } from './lifecycle/scan-store.ts';
import { sumOfEarlierScan } from './monitor/snapshot-store.ts';
import { detachOldScan } from './retention/removal-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

/** Random, so that PostgreSQL cannot compress it. */
function deepSource(): MemorySource {
  const id = `memory:/${randomBytes(3000).toString('hex')}`;
  return createMemorySource({ 'a.txt': 'SSN: 536-22-8741' }, { id });
}

describe('a source with a very long path', () => {
  it('is scanned, and the next scan builds on it', async () => {
    const source = deepSource();
    const first = await wholeScan(db, source);
    expect(first.scan.status).toBe('completed');
    const second = await wholeScan(db, source);
    expect(second.scan.base).toBe(first.scan.id);
    expect(second.read).toEqual([]);
    expect(second.findings).toHaveLength(1);
    expect(await previousScan(db, second.scan)).toBe(first.scan.id);
  });
});

describe('the scans of a source', () => {
  const statements: { sql: string; params: readonly unknown[] }[] = [];
  const noting: Database = {
    close: () => db.close(),
    tx: (work) => db.tx(work),
    listen: (...args) => db.listen(...args),
    query: (sql, params = []) => {
      statements.push({ sql, params });
      return db.query(sql, params);
    },
  };

  it.each([
    ['for the base of a new one', 0],
    ['for the one before', 1],
    ['for superseded inventories', 2],
    ['for an earlier sum', 3],
    ['for newer ones', 4],
  ])('are found by an index: %s', async (_, which) => {
    const id = await plannedScan(db, deepSource());
    const scan = (await readScan(db, id))!;
    const like = { ...scan, scopeHash: 'all', wholeScope: 'all' };
    const tx = { ...noting, transaction: true } as const;
    const questions = [
      () => findBase(tx, like),
      () => previousScan(tx, scan),
      () => pruneInventories(tx, id),
      () => sumOfEarlierScan(tx, id),
      () => detachOldScan(tx, 1e12),
    ];
    await questions[which]!();
    const { sql, params } = statements.at(-1)!;
    const plan = await db.tx(async (inner) => {
      await inner.query('set local enable_seqscan = off; set local enable_bitmapscan = off');
      return (await inner.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, params)).rows;
    });
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /scan_of_source_hash.*\n.*Index Cond:.*hashtextextended/,
    );
  });
});
