import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import type { App } from '../app.ts';
import { SeineError } from '../base/errors.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { DetectionPool } from '../scans/detect/pool.ts';
import { LiveCounters } from '../scans/shard/live-counters.ts';
import { startScanRuntime } from './scan-runtime.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

it('what was started is stopped when a later part cannot be', async () => {
  const away = new SeineError('unavailable', 'The database cannot be reached.');
  const query: Database['query'] = (sql, ...more) =>
    /insert into worker\b/.test(sql) ? Promise.reject(away) : db.query(sql, ...more);
  const stopPool = vi.spyOn(DetectionPool.prototype, 'stop');
  const config = readConfig({}, {});
  const app: App = { config, db: { ...db, query }, secret: Buffer.alloc(32), close: async () => {} };
  const options = { concurrency: 1, live: () => new LiveCounters(), warn: () => {} };
  await expect(startScanRuntime(app, options)).rejects.toBe(away);
  expect(stopPool).toHaveBeenCalledOnce();
});
