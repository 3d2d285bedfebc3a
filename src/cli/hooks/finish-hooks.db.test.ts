import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import type { App } from '../../app.ts';
import { readConfig } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { ENDS } from '../../scans/hooks/hook.ts';
import { addHooks } from '../../scans/hooks/hook-store.ts';
import { endedAs, webhookTo } from '../../scans/hooks/hooks.fixture.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
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

it('an interrupted process reports pending hooks', async () => {
  const scan = await scanWithHook();
  await endedAs(db, scan);
  expect(await finishHooks(app, scan, {}, true)).toBe(false);
});

it('a hook of another host is not waited for: its host is named, and the command that runs it here', async () => {
  const scan = await plannedScan(db, createMemorySource({}));
  const folder = { kind: 'export', name: 'export /out', target: '/out', format: 'jsonl' } as const;
  await db.tx((tx) => addHooks(tx, scan, [{ ...folder, on: ENDS, place: 'gone/mnt:[1]' }]));
  await endedAs(db, scan);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const done = await finishHooks(app, scan, {});
  const sentences = said.mock.calls.join('');
  said.mockRestore();
  expect(done).toBe(false);
  expect(sentences).toContain('export /out is pending on gone.');
  expect(sentences).toContain(`hooks run ${scan} --on-this-host`);
});
