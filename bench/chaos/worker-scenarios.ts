/** Faults of workers: killed, suspended, with a wrong clock, more of them and fewer. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { maybeOne, one } from '../../src/db/database.ts';
import type { Running } from '../../test/support/seine.ts';
import { ensurePackages } from '../../test/support/servers/apt.ts';
import { scaled } from '../benchmark.ts';
import { seconds } from '../figures.ts';
import type { SharedCluster } from '../shared-cluster.ts';
import { type Scenario, Skipped } from './scenario.ts';
import { LEASE_MS, type Played, type Stage, type Target } from './stage.ts';

const WORKERS = 4;

export function workerScenarios(files: Target, fewFiles: Target, huge: Target): Scenario[] {
  return [
    {
      name: 'kills',
      about: '200 × kill -9 of a random worker in one scan, each replaced at once',
      play: (stage) => killRandomWorkers(stage, huge),
    },
    {
      name: 'leader',
      about: '50 × kill -9 of the leading or finalizing worker, over several scans',
      play: (stage) => killLeaders(stage, fewFiles),
    },
    {
      name: 'pause',
      about: 'SIGSTOP of a worker for three leases, then SIGCONT',
      play: (stage) => pauseWorker(stage, files),
    },
    {
      name: 'clock',
      about: 'workers whose clocks are a day ahead and a day behind',
      play: (stage) => wrongClocks(stage, files),
    },
    { name: 'resize', about: '2, then 8, then 1 worker', play: (stage) => resize(stage, files) },
  ];
}

async function killRandomWorkers(stage: Stage, huge: Target) {
  const { cluster, bench, random } = stage;
  const kills = scaled(bench, 200, 4);
  await cluster.setWorkerCount(WORKERS);
  let done = 0;
  const played = await stage.scan(huge, async ({ ended }) => {
    while (done < kills && !(await ended())) {
      await sleep(100 + random.next() * 400);
      stage.anyWorker().kill('SIGKILL');
      done++;
      await cluster.addWorker();
    }
  });
  const all = { holds: done === kills, what: `kills: all ${kills} fell into one scan` };
  return { done: `${done} kills`, scans: [played], also: [all] };
}

/** In turns: the leader in mid-scan; then, when a scan is about to end, all workers at once, because one of them ends it. */
async function killLeaders(stage: Stage, fewFiles: Target) {
  const { cluster, bench } = stage;
  const kills = scaled(bench, 50, 2);
  const scans: Played[] = [];
  let [leaders, finalizers] = [0, 0];
  while (leaders + finalizers < kills && scans.length < 3 * kills) {
    await cluster.setWorkerCount(WORKERS);
    const played = await stage.scan(fewFiles, async ({ scan, until }) => {
      await until(fewFiles.objects / 4);
      if (leaders > finalizers) finalizers += (await killFinalizer(cluster, scan)) ? 1 : 0;
      else leaders += (await killLeader(cluster)) ? 1 : 0;
      await cluster.setWorkerCount(WORKERS);
    });
    scans.push(played);
  }
  const longest = Math.max(...scans.map((scan) => scan.seconds));
  const done = `${leaders} leaders and ${finalizers} finalizers killed; the longest scan took ${seconds(longest)}`;
  return { done, scans };
}

async function killLeader(cluster: SharedCluster): Promise<boolean> {
  const leader = await maybeOne<{ pid: number }>(
    cluster.db,
    'select worker.pid from range_lease join worker on worker.id = holder where group_id = 0',
  );
  const victim = cluster.workers.find((worker) => worker.pid === leader?.pid);
  victim?.kill('SIGKILL');
  await victim?.ended;
  return victim !== undefined;
}

/** Waits for the moment; false when it was over too soon. */
async function killFinalizer(cluster: SharedCluster, scan: number): Promise<boolean> {
  for (;;) {
    const sql = 'select status from scan where id = $1';
    const { status } = await one<{ status: string }>(cluster.db, sql, [scan]);
    if (status === 'finalizing') break;
    if (status !== 'running') return false;
    await sleep(1);
  }
  const all = [...cluster.workers];
  for (const worker of all) worker.kill('SIGKILL');
  await Promise.all(all.map((worker) => worker.ended));
  return true;
}

async function pauseWorker(stage: Stage, files: Target) {
  const { cluster } = stage;
  await cluster.setWorkerCount(WORKERS);
  const before = await refusals(cluster);
  const played = await stage.scan(files, async ({ scan, until }) => {
    await until(files.objects / 10);
    const paused = (await aHolder(cluster, scan)) ?? stage.anyWorker();
    paused.kill('SIGSTOP');
    await sleep(3 * LEASE_MS);
    paused.kill('SIGCONT');
  });
  let refused = 0;
  // Reported with the next heartbeat.
  for (let polls = 0; polls < 100 && refused === 0; polls++) {
    await sleep(100);
    refused = (await refusals(cluster)) - before;
  }
  const also = [{ holds: refused > 0, what: 'pause: what the paused worker wrote was refused, and counted' }];
  return { done: `paused ${(3 * LEASE_MS) / 1000} s; ${refused} writes refused`, scans: [played], also };
}

/** The worker that claimed a shard last, and so has most of it left. */
async function aHolder(cluster: SharedCluster, scan: number): Promise<Running | undefined> {
  const holder = await maybeOne<{ pid: number }>(
    cluster.db,
    `select worker.pid from range_lease join worker on worker.id = holder
     where group_id = $1 and state = 'held' order by claimed_at desc limit 1`,
    [scan],
  );
  return cluster.workers.find((worker) => worker.pid === holder?.pid);
}

async function refusals({ db }: SharedCluster): Promise<number> {
  const sql = 'select coalesce(sum(fenced_writes), 0)::integer as n from worker';
  return (await one<{ n: number }>(db, sql)).n;
}

const FAKE_CLOCK = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

async function wrongClocks(stage: Stage, files: Target) {
  const missing = await ensurePackages(['faketime']);
  if (missing !== null) throw new Skipped(missing);
  if (!existsSync(FAKE_CLOCK)) throw new Skipped(`there is no ${FAKE_CLOCK}`);
  const { cluster } = stage;
  await cluster.setWorkerCount(WORKERS);
  await stage.calmSeconds(files);
  await cluster.setWorkerCount(0);
  const wrong = [];
  for (const FAKETIME of ['+1d', '-1d']) {
    // The steady clock stays true: only the date is wrong, as on a badly set machine.
    const env = {
      LD_PRELOAD: FAKE_CLOCK,
      FAKETIME,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
    wrong.push(await cluster.addWorker([], { env }));
  }
  await cluster.setWorkerCount(WORKERS);
  const played = await stage.scan(files, async () => {});
  const { objects } = await one<{ objects: number }>(
    cluster.db,
    'select coalesce(sum(objects), 0)::integer as objects from worker where pid = any($1)',
    [wrong.map((worker) => worker.pid)],
  );
  await cluster.setWorkerCount(0);
  const also = [{ holds: objects > 0, what: 'clock: the workers with wrong clocks took part' }];
  return { done: `2 of ${WORKERS} workers; they did ${objects} objects`, scans: [played], also };
}

async function resize(stage: Stage, files: Target) {
  const { cluster } = stage;
  await cluster.setWorkerCount(2);
  let clean = true;
  const played = await stage.scan(files, async ({ until }) => {
    await until(files.objects / 20);
    await cluster.setWorkerCount(8);
    await until(files.objects / 2);
    const leaving = cluster.workers.slice(1);
    for (const worker of leaving) worker.kill('SIGTERM');
    for (const { code } of await Promise.all(leaving.map((worker) => worker.ended))) clean &&= code === 0;
  });
  const also = [{ holds: clean, what: 'resize: stopped workers exited in order' }];
  return { done: '2 → 8 → 1 workers', scans: [played], also };
}
