import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { readConfig } from '../../config.ts';
import { type Database, one } from '../../db/database.ts';
import { openScanSession } from './scan-session.ts';

let db: Database & { url: string };
const folder = mkdtempSync(join(tmpdir(), 'seine-session-'));
beforeAll(async () => {
  db = await freshDatabase(1);
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

it('scan and resume let the server end an idle transaction, as workers do', async () => {
  const config = readConfig({ data: folder, config: '/dev/null' }, { DATABASE_URL: db.url });
  const options = { progress: { update() {}, stop() {} }, warn() {}, quiet: true };
  const session = await openScanSession(config, options);
  const timeout = await one(session.app.db, 'show idle_in_transaction_session_timeout');
  await session.close();
  expect(timeout).toEqual({ idle_in_transaction_session_timeout: '30s' });
});
