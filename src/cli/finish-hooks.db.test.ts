import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { plannedScan } from '../../test/support/scan.ts';
import type { App } from '../app.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { addHooks } from '../scans/hooks/hook-store.ts';
import { endedAs, webhookTo } from '../scans/hooks/hooks.fixture.ts';
import { createMemorySource } from '../sources/memory/memory.ts';
import { finishHooks } from './finish-hooks.ts';

let db: Database;
let app: App;
beforeAll(async () => {
  db = await freshDatabase();
  app = { db, config: readConfig({}, {}), secret: Buffer.alloc(32), close: async () => {} };
});
afterAll(() => db.close());

async function scanWithHook(): Promise<number> {
  const scan = await plannedScan(db, createMemorySource({}));
  await db.tx((tx) => addHooks(tx, scan, [webhookTo('http://127.0.0.1:9/')]));
  return scan;
}

it('the hooks of a scan that has not ended are not waited for', async () => {
  expect(await finishHooks(app, await scanWithHook(), {})).toBe(true);
});

it('whoever is leaving is told what is left', async () => {
  const scan = await scanWithHook();
  await endedAs(db, scan);
  expect(await finishHooks(app, scan, {}, true)).toBe(false);
});
