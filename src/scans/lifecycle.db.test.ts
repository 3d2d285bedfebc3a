import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { inspectHere, scanTools } from '../../test/support/scan.ts';
import { Bell } from '../base/bell.ts';
import { type Database, many } from '../db/database.ts';
import { type Jobs, startJobs } from '../engine/jobs/jobs.ts';
import { createWork } from '../engine/leases/work-store.ts';
import { joinWorkers } from '../engine/workers/worker.ts';
import { DEFAULT_RULES, type RuleSet } from '../governance/rule-set.ts';
import { openSource } from '../sources/open.ts';
import { finalizeScan } from './finalize.ts';
import { planScan } from './plan.ts';
import { readLedger } from './report-store.ts';
import { findResumable, resumeScan } from './resume.ts';
import { runScan } from './run-scan.ts';
import { failScan, insertScan, moveScan, readScan } from './scan-store.ts';
import { SHARD, startScan } from './start.ts';

let db: Database;
let jobs: Jobs;
let folder: string;
const news = new Bell();
const finalized: number[] = [];
const hooked: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  db = await freshDatabase(8);
  jobs = await startJobs(
    db,
    {
      plan: async ({ scan }: { scan: number }) => {
        await planScan(db, scan);
        news.ring();
      },
      finalize: async ({ scan }: { scan: number }) => {
        await finalizeScan(db, jobs, scan);
        finalized.push(scan);
        news.ring();
      },
      hook: async ({ hook, scan }: { hook: string; scan: number }) => void hooked.push(`${hook} ${scan}`),
    },
    {
      onError: (message) => complaints.push(message),
      onGivenUp: async (name, data, reason) => {
        if (name === 'plan') await failScan(db, (data as { scan: number }).scan, reason);
        news.ring();
      },
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
  keepEach: 1000,
});

async function run(scan: number, signal = new AbortController().signal): Promise<void> {
  const row = (await readScan(db, scan))!;
  const source = openSource(row.source, row.scope);
  const worker = await joinWorkers(db);
  await runScan(
    scan,
    scanTools(db, source, jobs, { news, worker: worker.id, base: row.base, pool: inspectHere(source) }),
    signal,
  );
  await worker.leave();
}

describe('a scan', () => {
  it('goes from start to completed: planned, run, finalized once, each hook once', async () => {
    fill(10, 300);
    const scan = await startScan(db, jobs, request());
    await run(scan);
    expect((await readScan(db, scan))!.status).toBe('completed');
    expect(finalized.filter((id) => id === scan)).toHaveLength(1);
    while (!hooked.some((hook) => hook.endsWith(` ${scan}`)))
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(hooked.filter((hook) => hook.endsWith(` ${scan}`))).toEqual([`prune inventories ${scan}`]);
    expect((await readLedger(db, scan)).map((line) => [line.outcome, line.objects])).toEqual([
      ['scanned', 3000],
    ]);
    expect((await many(db, 'select 1 from lease where work_id = $1', [scan])).length).toBeGreaterThan(1);
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

  it('planned twice, because the job was repeated, has its shards once', async () => {
    fill(1, 5);
    const scan = await startScan(db, jobs, request());
    await planScan(db, scan);
    await planScan(db, scan);
    expect(await many(db, 'select 1 from lease where work_id = $1', [scan])).toHaveLength(1);
    await run(scan);
  });

  it('that cannot be planned fails with the reason, and does not wait for ever', async () => {
    const scan = await db.tx(async (tx) => {
      const id = await createWork(tx, { tenant: 'default', kind: SHARD, priority: 0 });
      const nowhere = {
        source: 'fs:/nowhere/at/all',
        target: '/nowhere/at/all',
        scope: {},
        scopeHash: '',
        base: null,
      };
      const rules = {
        ruleSet: DEFAULT_RULES,
        rulesHash: '',
        rulesFile: null,
        inventoryKey: '',
        keepEach: 10,
      };
      await insertScan(tx, id, { tenant: 'default', ...nowhere, ...rules });
      await jobs.send(tx, 'plan', { scan: id });
      return id;
    });
    jobs.wake();
    while (!(await readScan(db, scan))!.finishedAt) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await readScan(db, scan)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('/nowhere/at/all'),
    });
  });

  it('finalized twice ends once', async () => {
    fill(1, 5);
    const scan = await startScan(db, jobs, request());
    await run(scan);
    const { finishedAt } = (await readScan(db, scan))!;
    await finalizeScan(db, jobs, scan);
    expect((await readScan(db, scan))!.finishedAt).toEqual(finishedAt);
  });

  it('whose ledger does not equal its listing is not called completed', async () => {
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

describe('resuming', () => {
  async function interrupted(): Promise<number> {
    fill(5, 100);
    const scan = await startScan(db, jobs, request());
    const stop = new AbortController();
    const running = run(scan, stop.signal);
    stop.abort();
    await running;
    await planScan(db, scan);
    await moveScan(db, scan, ['running'], 'interrupted');
    return scan;
  }

  it('goes on to the end', async () => {
    const scan = await interrupted();
    const found = await findResumable(db, 'default', null);
    expect(found.id).toBe(scan);
    await resumeScan(db, jobs, found, { ruleSet: DEFAULT_RULES, file: null }, null);
    await run(scan);
    expect((await readScan(db, scan))!.status).toBe('completed');
  });

  it('refuses without a decision when the rules changed, and says what changed', async () => {
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

  it('refuses a scan that has ended, one that is not there, and one that somebody works on', async () => {
    fill(1, 1);
    const scan = await startScan(db, jobs, request());
    await run(scan);
    await expect(findResumable(db, 'default', scan)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(findResumable(db, 'default', 999_999)).rejects.toMatchObject({ kind: 'not-found' });
    const held = await startScan(db, jobs, request());
    await planScan(db, held);
    const worker = await joinWorkers(db);
    await db.query(
      `update lease set state = 'held', holder = $2, expires_at = now() + interval '1 minute' where work_id = $1`,
      [held, worker.id],
    );
    await expect(findResumable(db, 'default', held)).rejects.toThrow(`process ${process.pid}`);
    await worker.leave();
  });
});

describe('a worker that died on this machine', () => {
  it('gives up its leases as soon as another one joins', async () => {
    fill(1, 3);
    const scan = await startScan(db, jobs, request());
    await planScan(db, scan);
    const dead = await joinWorkers(db, undefined, 2 ** 22 + 1); // no process has such a number
    await db.query(
      `update lease set state = 'held', holder = $2, expires_at = now() + interval '1 hour' where work_id = $1`,
      [scan, dead.id],
    );
    await run(scan);
    expect((await readScan(db, scan))!.status).toBe('completed');
  });
});
