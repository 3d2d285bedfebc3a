import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, workerDeps } from '../../../test/support/scan.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import type { Database } from '../../db/database.ts';
import { type Jobs, startJobs } from '../../engine/jobs/jobs.ts';
import { startWorkerRegistration } from '../../engine/workers/worker.ts';
import { DEFAULT_RULES, type RuleSet } from '../../governance/rule-set.ts';
import { openSource } from '../../sources/open.ts';
import { readLedger } from '../results/report-store.ts';
import { runScan } from '../run-scan.ts';
import { finalizeScan } from './finalize-scan.ts';
import { findResumable, resumeScan } from './resume-scan.ts';
import { readScan, transitionScan } from './scan-store.ts';
import { startScan } from './start-scan.ts';

let db: Database;
let jobs: Jobs;
let folder: string;
const news = new WakeSignal();
const finalized: number[] = [];
const hooked: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  db = await freshDatabase(8);
  jobs = await startJobs(
    db,
    {
      finalize: async ({ scan }: { scan: number }) => {
        await finalizeScan(db, jobs, scan);
        finalized.push(scan);
        news.notifyAll();
      },
      prune: async ({ scan }: { scan: number }) => void hooked.push(`prune ${scan}`),
    },
    {
      onError: (message) => complaints.push(message),
      onDeadLetter: async () => {},
    },
  );
});
afterAll(async () => {
  await jobs.stop();
  await db.close();
  expect(complaints).toEqual([]);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seine-life-'));
  return () => rmSync(folder, { recursive: true });
});

function fill(folders: number, files: number): void {
  for (let i = 0; i < folders; i++) {
    mkdirSync(join(folder, `d${i}`));
    for (let j = 0; j < files; j++)
      writeFileSync(join(folder, `d${i}`, `f${j}.txt`), j % 5 ? 'nothing' : 'mail: ann@example.com');
  }
}

const request = (rules: RuleSet = DEFAULT_RULES) => ({
  tenant: 'default',
  target: folder,
  scope: {},
  rules,
  rulesFile: null,
  full: false,
  maxFindingsPerType: 1000,
});

async function run(scan: number, signal = new AbortController().signal): Promise<void> {
  const row = (await readScan(db, scan))!;
  const source = await openSource(row.source, row.scope);
  const worker = await startWorkerRegistration(db);
  await runScan(
    scan,
    workerDeps(db, source, jobs, { wakeSignal: news, worker: worker.id, pool: inspectInProcess(source) }),
    signal,
  );
  await worker.leave();
}

describe('a scan', () => {
  it('runs from start to completed: finalized once, each hook once', async () => {
    fill(10, 300);
    const scan = await startScan(db, jobs, request());
    await run(scan);
    expect((await readScan(db, scan))!.status).toBe('completed');
    await waitUntil('the hook', () => hooked.some((hook) => hook.endsWith(` ${scan}`)));
    expect(hooked.filter((hook) => hook.endsWith(` ${scan}`))).toEqual([`prune ${scan}`]);
    expect(finalized.filter((id) => id === scan)).toHaveLength(1); // that job has ended before the next one
    expect((await readLedger(db, scan)).map((line) => [line.outcome, line.objects])).toEqual([
      ['scanned', 3000],
    ]);
  });

  it('of an empty folder completes with nothing', async () => {
    const scan = await startScan(db, jobs, request());
    await run(scan);
    expect((await readScan(db, scan))!.status).toBe('completed');
    expect(await readLedger(db, scan)).toEqual([]);
  });

  it('worked on by three processes at once ends the same', async () => {
    fill(20, 100);
    const scan = await startScan(db, jobs, request());
    await Promise.all([run(scan), run(scan), run(scan)]);
    expect((await readScan(db, scan))!.status).toBe('completed');
    expect((await readLedger(db, scan)).map((line) => [line.outcome, line.objects])).toEqual([
      ['scanned', 2000],
    ]);
  });

  it('finalized twice ends once', async () => {
    fill(1, 5);
    const scan = await startScan(db, jobs, request());
    await run(scan);
    const { finishedAt } = (await readScan(db, scan))!;
    await finalizeScan(db, jobs, scan);
    expect((await readScan(db, scan))!.finishedAt).toEqual(finishedAt);
  });

  it('whose coverage does not equal its listing is not completed', async () => {
    fill(1, 5);
    const scan = await startScan(db, jobs, request());
    await run(scan);
    await db.query(`update scan set status = 'finalizing', finished_at = null where id = $1`, [scan]);
    await db.query('update ledger set objects = objects - 1 where scan_id = $1', [scan]);
    await finalizeScan(db, jobs, scan);
    expect(await readScan(db, scan)).toMatchObject({
      status: 'incomplete',
      error: '5 objects were listed but 4 are accounted for',
    });
  });
});

describe('objects that were not read', () => {
  /** As listed in the README under "Exit codes". */
  const reasons: ['incomplete' | 'completed', string][] = [
    ['incomplete', 'no permission'],
    ['incomplete', 'changed while it was read'],
    ['incomplete', 'could not be read'],
    ['incomplete', 'beyond a limit'],
    ['incomplete', 'the source refused the request'],
    ['incomplete', 'not what the source lists'],
    ['incomplete', 'internal error'],
    ['incomplete', 'the store lists an invalid size'],
    ['incomplete', 'document reader failed'],
    ['incomplete', 'document reader ended (139)'],
    ['completed', 'vanished before it was read'],
    ['completed', 'archived'],
    ['completed', 'too large'],
    ['completed', 'encrypted'],
    ['completed', 'picture: OCR is off'],
    ['completed', 'unsupported format: ELF executable'],
    ['completed', 'corrupt: the archive ends early'],
    ['completed', 'limit: time'],
    ['completed', 'not a regular file'],
    ['completed', 'sparse file, not read to its end'],
  ];
  it.each(reasons)('leave the scan %s: %s', async (status, reason) => {
    for (const outcome of ['skipped', 'partial']) {
      fill(1, 3);
      const scan = await startScan(db, jobs, request());
      await run(scan);
      rmSync(join(folder, 'd0'), { recursive: true });
      await db.query(`update scan set status = 'finalizing', finished_at = null where id = $1`, [scan]);
      const set = 'update ledger set outcome = $2, reason = $3 where scan_id = $1';
      await db.query(set, [scan, outcome, reason]);
      await finalizeScan(db, jobs, scan);
      const error = status === 'incomplete' ? '3 objects could not be read' : null;
      expect(await readScan(db, scan)).toMatchObject({ status, error });
    }
  });
});

describe('resuming', () => {
  async function interrupted(): Promise<number> {
    fill(5, 100);
    const scan = await startScan(db, jobs, request());
    const stop = new AbortController();
    const running = run(scan, stop.signal);
    stop.abort();
    await running;
    await transitionScan(db, scan, ['running'], 'interrupted');
    return scan;
  }

  it('continues to the end', async () => {
    const scan = await interrupted();
    const found = await findResumable(db, 'default', null);
    expect(found.id).toBe(scan);
    await resumeScan(db, jobs, found, { ruleSet: DEFAULT_RULES, file: null }, null);
    await run(scan);
    expect((await readScan(db, scan))!.status).toBe('completed');
  });

  it('is rejected without a decision when the rules changed, and lists the changes', async () => {
    const scan = await findResumable(db, 'default', await interrupted());
    const other = { ruleSet: { ...DEFAULT_RULES, minConfidence: 0.8 }, file: null };
    await expect(resumeScan(db, jobs, scan, other, null)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('minConfidence 0.5 → 0.8'),
      hint: expect.stringContaining('--rules-changed old'),
    });
    expect((await resumeScan(db, jobs, scan, other, 'old')).ruleSet.minConfidence).toBe(0.5);
    expect((await resumeScan(db, jobs, scan, other, 'new')).ruleSet.minConfidence).toBe(0.8);
    await run(scan.id);
  });

  it('is rejected for a scan that has ended, a missing one, and one that a worker holds', async () => {
    fill(1, 1);
    const scan = await startScan(db, jobs, request());
    await run(scan);
    await expect(findResumable(db, 'default', scan)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(findResumable(db, 'default', 999_999)).rejects.toMatchObject({ kind: 'not-found' });
    const held = await startScan(db, jobs, request());
    const worker = await startWorkerRegistration(db);
    await db.query(
      `update range_lease set state = 'held', holder = $2, expires_at = now() + interval '1 minute' where group_id = $1`,
      [held, worker.id],
    );
    await expect(findResumable(db, 'default', held)).rejects.toThrow(`pid ${process.pid}`);
    await worker.leave();
  });
});

describe('a worker that crashed on this machine', () => {
  it('releases its leases as soon as another one joins', async () => {
    fill(1, 3);
    const scan = await startScan(db, jobs, request());
    const dead = await startWorkerRegistration(db, { pid: 2 ** 22 + 1 }); // above any process id
    await db.query(
      `update range_lease set state = 'held', holder = $2, expires_at = now() + interval '1 hour' where group_id = $1`,
      [scan, dead.id],
    );
    await run(scan);
    expect((await readScan(db, scan))!.status).toBe('completed');
  });
});
