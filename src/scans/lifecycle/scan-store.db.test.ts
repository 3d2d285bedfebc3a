import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import { keyOf } from '../../base/key.ts';
import type { Database } from '../../db/database.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { writeBlock } from '../inventory/inventory-store.ts';
import type { ScanStatus } from '../results/report.ts';
import { readScan } from './scan-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

describe('what a scan is compared with', () => {
  let sources = 0;

  /** The base of a new scan after scans with these ends. */
  async function baseAfter(...ends: ScanStatus[]): Promise<ScanStatus | null> {
    const source = createMemorySource({}, { id: `memory:${sources++}` });
    for (const end of ends) {
      const scan = await plannedScan(db, source);
      const { inventoryKey } = (await readScan(db, scan))!;
      const block = { upTo: keyOf('a'), entries: Buffer.alloc(16), subThreshold: null, inventoryKey };
      await db.tx((tx) => writeBlock(tx, scan, block));
      await db.query('update scan set status = $2, finished_at = now() where id = $1', [scan, end]);
    }
    const { base } = (await readScan(db, await plannedScan(db, source)))!;
    return base === null ? null : (await readScan(db, base))!.status;
  }

  it('is the newest that saw everything, rather than a newer one that broke off', async () => {
    expect(await baseAfter('completed', 'cancelled')).toBe('completed');
    expect(await baseAfter('completed', 'incomplete', 'failed')).toBe('incomplete');
    expect(await baseAfter('incomplete', 'completed')).toBe('completed');
  });

  it('is one that broke off rather than none', async () => {
    expect(await baseAfter('failed', 'cancelled')).toBe('cancelled');
    expect(await baseAfter()).toBeNull();
  });
});
