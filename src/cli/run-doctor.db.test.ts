import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { heldUpWorkflows } from '../../test/support/held-up.ts';
import type { Database } from '../db/database.ts';
import { EXIT } from './exit-code.ts';
import { runDoctor } from './run-doctor.ts';

let db: Database & { url: string };
const folder = mkdtempSync(join(tmpdir(), 'seine-doctor-'));
beforeAll(async () => {
  db = await freshDatabase();
  vi.stubEnv('DATABASE_URL', db.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await db.close();
  rmSync(folder, { recursive: true });
});

async function doctor() {
  let stdout = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text;
    return true;
  });
  const code = await runDoctor({ data: folder, config: '/dev/null', json: true });
  write.mockRestore();
  const checks: { name: string; ok: boolean; found: string; hint?: string }[] = JSON.parse(stdout);
  return { code, workflows: checks.find(({ name }) => name === 'workflows') };
}

it('the doctor finds what holds up workflows, and reports what to do', async () => {
  expect(await doctor()).toMatchObject({ code: EXIT.done, workflows: { found: 'not stalled' } });
  const release = await heldUpWorkflows(db, db.url);
  const stalled = await doctor();
  await release();
  expect(stalled).toMatchObject({ code: EXIT.error, workflows: { ok: false } });
  expect(stalled.workflows!.found).toContain('Events of order cannot be read');
  expect(stalled.workflows!.hint).toContain('pg_terminate_backend');
  await db.query(`delete from event where workflow = 'order'`); // other tests of this server have transactions, too
  const unserved = await doctor();
  expect(unserved).toMatchObject({ code: EXIT.done, workflows: { ok: true } });
  expect(unserved.workflows!.found).toContain('1 message waits for the workflow mistyped');
});
