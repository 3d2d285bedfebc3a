import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import { type Database, many } from '../../db/database.ts';
import { type Jobs, startJobs } from '../../engine/jobs/jobs.ts';
import { addPgBossJob, createPgBossTables } from '../../engine/jobs/pg-boss-tables.fixture.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { finalizeScan, finalizeStranded } from '../lifecycle/finalize-scan.ts';
import { findResumable } from '../lifecycle/resume-scan.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { ENDS, type ExportSettings, type HookJob, hookQueue, hostAffinityOfHook } from './hook.ts';
import { addHooks, readHooks } from './hook-store.ts';
import { endedAs, HookQueue, hookContext, hookOf } from './hooks.fixture.ts';
import { deleteJobsOfGoneHosts, resendHooks, runHooksOnThisHost } from './lost-hooks.ts';
import { runHook, sendHooks } from './run-hook.ts';
import { waitForHooks } from './wait-for-hooks.ts';
import { listWaitingHooks } from './waiting-store.ts';

/** The host affinity of a removed container; the next container has another one. */
const GONE = 'container-1/mnt:[4026532001]';
const HERE = 'container-2/mnt:[4026532002]';
const never = new AbortController().signal;
const trouble = { onError() {} };

let db: Database;
let sending: Jobs;
const stops: (() => Promise<void>)[] = [];
const folder = mkdtempSync(join(tmpdir(), 'seine-lost-'));
beforeAll(async () => {
  db = await freshDatabase(12);
  sending = await startJobs(db, { finalize: null, prune: null, hook: null }, trouble);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await db.query(`update scan_hook set state = 'skipped' where state = 'waiting'`);
  await db.query('delete from job');
});
afterAll(async () => {
  await sending.stop();
  await db.close();
  rmSync(folder, { recursive: true });
});

/** Starts a process with this host affinity that runs hooks. */
async function startAt(place: string) {
  const ran: HookJob[] = [];
  const news = new WakeSignal();
  const hook = async (job: HookJob) => {
    ran.push(job);
    await runHook(db, hookContext(new HookQueue(db), { send: jobs.send, hostAffinity: place }), job);
    news.notifyAll();
  };
  const jobs: Jobs = await startJobs(db, { hook, [hookQueue(place)]: hook }, trouble);
  stops.push(() => jobs.stop());
  return { jobs, ran, news };
}

function exportTo(place: string | null): ExportSettings {
  return { kind: 'export', name: 'export out', target: folder, format: 'jsonl', on: ENDS, place };
}

async function endedScan(place: string | null): Promise<number> {
  const scan = await plannedScan(db, createMemorySource({}));
  await db.tx((tx) => addHooks(tx, scan, [exportTo(place)]));
  await endedAs(db, scan);
  await db.tx((tx) => sendHooks(tx, sending.send, scan, 'completed'));
  return scan;
}

/** The scan was reopened and has ended again. */
async function endedAgain(scan: number): Promise<void> {
  await db.query('update scan set reopen_count = reopen_count + 1 where id = $1', [scan]);
  await db.tx((tx) => sendHooks(tx, sending.send, scan, 'completed'));
}

const resend = () => db.tx((tx) => resendHooks(tx, sending.send));

async function queued() {
  const sql = `select queue, args from job where state = 'available' order by id`;
  return many<{ queue: string; args: HookJob }>(db, sql);
}

describe('a hook whose job was lost', () => {
  it('gets one again, and runs once', async () => {
    const scan = await endedScan(null);
    await db.query('delete from job');
    expect(await resend()).toBe(1);
    expect(await queued()).toMatchObject([{ queue: 'hook', args: { scan, round: 0, n: 0, attempt: 0 } }]);
    const { ran, news } = await startAt(HERE);
    await waitForHooks(db, scan, { wakeSignal: news, signal: never, until: 'end' });
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done', attempts: 1 });
    expect(await resend()).toBe(0);
    expect(ran).toHaveLength(1);
  });

  it('gets only one job when several processes look for lost ones concurrently', async () => {
    await endedScan(null);
    await db.query('delete from job');
    await Promise.all(Array.from({ length: 5 }, resend));
    expect(await queued()).toHaveLength(1);
  });

  it.each(['available', 'running', 'exhausted'])('gets none while it has one that is %s', async (state) => {
    await endedScan(GONE);
    await db.query('update job set state = $1', [state]);
    expect(await resend()).toBe(0);
  });

  it('gets none while a process of the previous version has it', async () => {
    const scan = await endedScan(null);
    await db.query('delete from job');
    await createPgBossTables(db);
    const data = { scan, round: 0, n: 0, attempt: 0 };
    await addPgBossJob(db, { name: 'hook', data, state: 'active', secondsAgo: 1 });
    expect(await resend()).toBe(0);
    await db.query(`update seine_jobs.job set state = 'completed'`);
    expect(await resend()).toBe(1);
    await db.query('drop schema seine_jobs cascade');
  });

  it('gets none before its scan has ended', async () => {
    const scan = await plannedScan(db, createMemorySource({}));
    await db.tx((tx) => addHooks(tx, scan, [exportTo(null)]));
    expect(await resend()).toBe(0);
  });
});

describe('an export to a folder of a host that no longer exists', () => {
  it('is not run on another host, and is shown as waiting for its own', async () => {
    const scan = await endedScan(GONE);
    const { jobs, ran } = await startAt(HERE);
    await db.tx((tx) => jobs.send(tx, hookQueue(HERE), { scan, round: 0, n: 0, attempt: 0 }));
    jobs.wake();
    await expect.poll(() => ran.length, { message: 'the job was fetched here' }).toBe(1);
    expect(await hookOf(db, scan)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await listWaitingHooks(db, { scan })).toMatchObject([{ place: GONE, hasWorker: false }]);
    await expect(findResumable(db, 'default', scan)).rejects.toMatchObject({
      hint: expect.stringContaining(`seine hooks run ${scan} --on-this-host`),
    });
  });

  it('is run once on the host that takes it over, and the old host writes nothing when it comes back', async () => {
    const scan = await endedScan(GONE);
    const here = await startAt(HERE);
    expect(await runHooksOnThisHost(db, here.jobs.send, scan, HERE)).toBe(1);
    here.jobs.wake();
    await waitForHooks(db, scan, { wakeSignal: here.news, signal: never, until: 'end' });
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done', result: { findings: 0 } });
    expect(readdirSync(folder)).toContain(`scan-${scan}`);
    rmSync(join(folder, `scan-${scan}`), { recursive: true });
    const back = await startAt(GONE); // its job was still queued
    back.jobs.wake();
    await expect.poll(() => back.ran.length, { message: 'the old host fetched its job' }).toBe(1);
    expect(readdirSync(folder)).not.toContain(`scan-${scan}`);
  });

  it('that the old host is writing is recorded by the new one only', async () => {
    const scan = await endedScan(GONE);
    const old = (await queued())[0]!.args;
    const access = () => {
      throw new Error('too late'); // a failed attempt is recorded like a successful one
    };
    const taken: Database = {
      ...db,
      query: (sql, params) => db.query(sql, params),
      tx: async (work) => {
        await runHooksOnThisHost(db, sending.send, scan, HERE);
        return db.tx(work);
      },
    };
    await runHook(taken, hookContext(new HookQueue(db), { hostAffinity: GONE, access }), old);
    const now = await hookOf(db, scan);
    expect(now).toMatchObject({ state: 'waiting', error: null, settings: { place: HERE } });
    expect(await queued()).toContainEqual({
      queue: hookQueue(HERE),
      args: { scan, round: 0, n: 0, attempt: now.attempts },
    });
  });

  it('is written by the host that took over after the next end of the scan, too', async () => {
    const scan = await endedScan(GONE);
    await db.query(`update scan_hook set state = 'done', attempts = 3 where scan_id = $1`, [scan]);
    await endedAgain(scan);
    expect(await runHooksOnThisHost(db, sending.send, scan, HERE)).toBe(1);
    await db.query(`update scan_hook set state = 'done' where scan_id = $1`, [scan]);
    await endedAgain(scan);
    const hooks = await readHooks(db, scan);
    expect(hooks.map(({ round, state, settings }) => [round, state, hostAffinityOfHook(settings)])).toEqual([
      [0, 'done', HERE],
      [1, 'done', HERE],
      [2, 'waiting', HERE],
    ]);
    expect(hooks[0]).toMatchObject({ attempts: 3 });
  });

  it('keeps all its tries when it is taken over', async () => {
    const scan = await endedScan(GONE);
    const before = await hookOf(db, scan);
    await runHooksOnThisHost(db, sending.send, scan, HERE);
    const after = await hookOf(db, scan);
    expect(after.giveUp - after.attempts).toBe(before.giveUp - before.attempts);
  });
});

describe('the queues of hosts', () => {
  const jobOf = (place: string) => db.tx((tx) => sending.send(tx, hookQueue(place), { scan: 0 }));

  it('leave nothing behind when their hosts are gone, for any number of hosts', async () => {
    for (let turn = 0; turn < 120; turn++) await jobOf(`c-${turn}`);
    expect(await db.tx(deleteJobsOfGoneHosts)).toBe(0);
    await db.query(`update job set run_at = clock() - interval '15 days'`);
    expect(await db.tx(deleteJobsOfGoneHosts)).toBe(120);
    expect(await queued()).toEqual([]);
  });

  it('keep jobs that are not due yet, that are running, or that any host can run', async () => {
    for (const place of ['late', 'busy']) await jobOf(place);
    await db.tx((tx) => sending.send(tx, 'hook', { scan: 0 }));
    await db.query(
      `update job
       set run_at = clock() + case when queue = $1 then interval '1 day' else interval '-15 days' end,
           state = case when queue = $2 then 'running' else state end`,
      [hookQueue('late'), hookQueue('busy')],
    );
    expect(await db.tx(deleteJobsOfGoneHosts)).toBe(0);
    expect(await many(db, 'select from job')).toHaveLength(3);
  });

  it('get a new job for a hook that still waits', async () => {
    const scan = await endedScan(GONE);
    await db.query(`update job set run_at = clock() - interval '15 days'`);
    await db.tx(deleteJobsOfGoneHosts);
    expect(await queued()).toEqual([]);
    expect(await resend()).toBe(1);
    const { news } = await startAt(GONE);
    await waitForHooks(db, scan, { wakeSignal: news, signal: never, until: 'end' });
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done' });
  });
});

describe('a finalize job that was lost', () => {
  it('is sent again, and the scan ends', async () => {
    const scan = await plannedScan(db, createMemorySource({}));
    await db.query(
      `update scan set status = 'finalizing', heartbeat_at = now() - interval '15 days' where id = $1`,
      [scan],
    );
    await db.tx((tx) => finalizeStranded(tx, sending));
    const [job] = await queued();
    expect(job).toMatchObject({ queue: 'finalize', args: { scan } });
    await finalizeScan(db, sending, job!.args.scan);
    expect((await readScan(db, scan))!.finishedAt).not.toBeNull();
  });
});
