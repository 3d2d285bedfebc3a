/**
 * A process that resumes a scan detects that a share is no longer mounted, though only the start of the
 * scan was stored.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Key } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { Database } from '../../db/database.ts';
import { type Jobs, startJobs } from '../../engine/jobs/jobs.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { UNLIMITED_GATE } from '../../sources/request-gate.ts';
import type { Source } from '../../sources/source.ts';
import { keysOf } from '../../sources/source-test-helpers.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { startScan } from '../lifecycle/start-scan.ts';
import { NameMasker } from '../names/name-masker.ts';
import { openGatedSource } from '../shard/deferred-gate.ts';
import { encodeInitialState } from './initial-state.ts';

const names = new NameMasker(Buffer.alloc(32, 7));
const gate = async () => ({ gate: UNLIMITED_GATE, budgeted: false, close: async () => {} });
let db: Database;
let jobs: Jobs;
let folder: string;

beforeAll(async () => {
  db = await freshDatabase();
  jobs = await startJobs(db, {}, { onError: () => {}, onDeadLetter: async () => {} });
});
afterAll(async () => {
  await jobs.stop();
  await db.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seine-state-'));
  return () => rmSync(folder, { recursive: true });
});

const start = () =>
  startScan(db, jobs, {
    tenant: 'default',
    target: folder,
    scope: {},
    rules: DEFAULT_RULES,
    rulesFile: null,
    full: false,
    maxFindingsPerType: 1000,
    names,
  });

/** Opens the source as another process does. */
async function openAgain(scan: number): Promise<Source> {
  const { source } = await openGatedSource((await readScan(db, scan))!, names, undefined, gate);
  return source;
}

it('a root that held something and is empty now is not listed', async () => {
  writeFileSync(join(folder, 'a'), '');
  const scan = await start();
  expect(await keysOf(await openAgain(scan), FULL_RANGE)).toEqual(['a']);
  rmSync(join(folder, 'a'));
  const again = await openAgain(scan);
  await expect(keysOf(again, FULL_RANGE)).rejects.toMatchObject({ kind: 'unavailable', retry: true });
  expect(await keysOf(await openAgain(await start()), FULL_RANGE)).toEqual([]);
});

it('is unknown for a scan of an earlier version', async () => {
  writeFileSync(join(folder, 'a'), '');
  const scan = await start();
  await db.query('update scan set initial_state = null where id = $1', [scan]);
  rmSync(join(folder, 'a'));
  expect(await keysOf(await openAgain(scan), FULL_RANGE)).toEqual([]);
});

const onLinux = it.runIf(process.platform === 'linux');
onLinux(
  'a mount that is gone is an error of the listing, and its name is stored without values',
  async () => {
    const mount = 'staff/ann@example.com\xff/' as Key;
    mkdirSync(join(folder, 'staff'));
    const scan = await start();
    const source = await openAgain(scan);
    const state = encodeInitialState(
      { ...source, initialState: () => ({ mounts: [mount], hasEntries: true }) },
      names,
    );
    await db.query('update scan set initial_state = $2 where id = $1', [scan, JSON.stringify(state)]);
    const stored = Buffer.from((await readScan(db, scan))!.initialState!.mounts[0]!, 'base64').toString();
    expect(stored).not.toContain('ann@example.com');
    const rest = { after: `${mount}x` as Key, upTo: null };
    await expect(keysOf(await openAgain(scan), rest)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('was unmounted'),
    });
  },
);
