import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import type { Database } from '../../db/database.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { addHooks } from '../hooks/hook-store.ts';
import { endedAs } from '../hooks/hooks.fixture.ts';
import { DEFAULT_THRESHOLDS } from './alert.ts';
import { AlertNotifier } from './alert-notifier.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

describe('the alert notifier', () => {
  it('sends an alert once, and again after it was resolved', async () => {
    const scan = await plannedScan(db, createMemorySource({ a: '' }));
    await db.query(`update scan set created_at = now() - interval '1 hour' where id = $1`, [scan]);
    await db.query(`update range_lease set not_before = now() - interval '1 hour' where group_id = $1`, [
      scan,
    ]);
    const notified: string[] = [];
    const notifier = new AlertNotifier(
      db,
      DEFAULT_THRESHOLDS,
      (id, alert) => void notified.push(`${id} ${alert.id}`),
    );
    await notifier.check();
    await notifier.check();
    expect(notified).toEqual([`${scan} no-worker`]);
    await db.query(`update scan set status = 'paused' where id = $1`, [scan]);
    await notifier.check();
    await db.query(`update scan set status = 'running' where id = $1`, [scan]);
    await notifier.check();
    expect(notified).toEqual([`${scan} no-worker`, `${scan} no-worker`]);
  });

  it('reports a hook of an ended scan that waits for a machine without a worker', async () => {
    const scan = await plannedScan(db, createMemorySource({ a: '' }));
    const folder = { kind: 'export', name: 'export /out', target: '/out', format: 'jsonl' } as const;
    await db.tx((tx) => addHooks(tx, scan, [{ ...folder, on: ['completed'], place: 'gone/mnt:[1]' }]));
    await endedAs(db, scan);
    await db.query(`update scan_hook set sent_at = now() - interval '3 hours' where scan_id = $1`, [scan]);
    const notified: string[] = [];
    const notifier = new AlertNotifier(
      db,
      DEFAULT_THRESHOLDS,
      (id, { what }) => void notified.push(`${id} ${what}`),
    );
    await notifier.check();
    await notifier.check();
    const ofScan = notified.filter((sentence) => sentence.startsWith(`${scan} `));
    expect(ofScan).toEqual([expect.stringContaining('on gone, where no worker is running: export /out.')]);
  });
});
