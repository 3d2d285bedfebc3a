/** Workers are killed, paused, cut off, added and sent away while they share a scan: it ends as if nothing had happened. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { many, maybeOne, one } from '../../src/db/database.ts';
import { readScan } from '../../src/scans/lifecycle/scan-store.ts';
import { findingsDigest } from '../../src/scans/results/finding-store.ts';
import { type Cluster, openCluster } from '../support/cluster.ts';
import { hasLockWaiter } from '../support/database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Running } from '../support/seine.ts';
import { makeTree, randomFrom } from '../support/tree.ts';
import { waitFor } from '../support/wait-for.ts';
import { whileStopped } from '../support/while-stopped.ts';
import { type FaultContext, type Outcome, withFault } from '../support/with-fault.ts';

const FILES = 30_000;
const LEASE_MS = 2000;
let cluster: Cluster;
let receiver: Receiver;
let tree: string;
let undisturbed: string;

beforeAll(async () => {
  [cluster, receiver] = [await openCluster(), await startReceiver()];
  tree = join(cluster.folder, 'tree');
  makeTree(tree, FILES);
  await cluster.addWorker();
  await cluster.addWorker();
  undisturbed = (await withFault(cluster, receiver, tree, async () => {})).digest;
});
afterEach(() => {
  for (const worker of cluster.workers) worker.kill('SIGCONT'); // one that failed costs only itself
});
afterAll(async () => {
  await cluster.close();
  await receiver.close();
});

function expectWhole(outcome: Outcome): void {
  expect(outcome).toMatchObject({
    status: 'completed',
    listed: FILES,
    ledgered: FILES,
    digest: undisturbed,
    hooks: 1,
  });
}

/** Suspends one after the other until another worker has claimed a shard of a suspended one. */
async function stopBusyProcess(): Promise<Running> {
  for (let n = 0; n < 200; n++) {
    const worker = cluster.workers[n % cluster.workers.length]!;
    worker.kill('SIGSTOP');
    if (await losesAShard(worker)) return worker;
    worker.kill('SIGCONT');
    await sleep(10);
  }
  throw new Error('No worker holds a shard.');
}

interface Shard {
  readonly id: number;
  readonly token: number;
}

/** False: it held none, or had already sent the end of each. */
async function losesAShard({ pid }: Running): Promise<boolean> {
  const shards = await many<Shard>(
    cluster.db,
    `select lease.id, fencing_token as token from range_lease as lease join worker on worker.id = lease.holder
     where worker.pid = $1 and lease.state = 'held' and lease.group_id > 0`,
    [pid],
  );
  if (shards.length === 0) return false;
  const { taken } = await waitFor(cluster.db, `what becomes of the shards of process ${pid}`, () =>
    maybeOne<{ taken: boolean }>(
      cluster.db,
      `select bool_or(lease.fencing_token > held.fencing_token) as taken
       from range_lease as lease join unnest($1::bigint[], $2::bigint[]) as held (id, fencing_token) on held.id = lease.id
       having bool_or(lease.fencing_token > held.fencing_token) or bool_and(lease.state <> 'held')`,
      [shards.map(({ id }) => id), shards.map(({ token }) => token)],
    ),
  );
  return taken;
}

/** Waits until no shard of the scan is held. */
const givenBack = (id: number) =>
  waitFor(cluster.db, `the shards of scan ${id} to be given back`, async () => {
    const held = `select from range_lease where group_id = $1 and state = 'held' limit 1`;
    return (await maybeOne(cluster.db, held, [id])) === null || null;
  });

/** A command that comes before the end of the scan, however long it takes to start. */
const runInTime = (words: readonly string[]) =>
  whileStopped(cluster.db, [...cluster.workers], () => cluster.run(words));

const scan = (fault: (scene: FaultContext) => Promise<void>) => withFault(cluster, receiver, tree, fault);

describe('a scan shared by workers', () => {
  it('finds what a single process finds', async () => {
    const { code, stdout } = await cluster.run(['scan', tree, '--full', '--json', '-q'], {
      env: { SEINE_MODE: 'single' },
    });
    expect(code).toBe(0);
    const row = (await readScan(cluster.db, Number(JSON.parse(stdout).scan.id)))!;
    expect(await findingsDigest(cluster.db, row)).toBe(undisturbed);
  });

  it('survives kill -9 of one worker after the other, each replaced by a new one', async () => {
    const seed = Math.floor(Math.random() * 1e6);
    const random = randomFrom(seed);
    let kills = 0;
    const coming: Promise<unknown>[] = [];
    const outcome = await scan(async ({ until, ended }) => {
      for (; kills < 10; kills++) {
        await until((kills + 1) * 2000);
        if (await ended()) break;
        cluster.workers[Math.floor(random() * cluster.workers.length)]!.kill('SIGKILL');
        coming.push(cluster.addWorker().catch(() => {})); // it may be killed before it is ready
      }
      await Promise.all(coming);
    });
    expect(outcome, `seed ${seed}`).toMatchObject({ digest: undisturbed });
    expectWhole(outcome);
    expect(kills).toBeGreaterThanOrEqual(4);
  });

  it('refuses what a worker writes that was paused for three leases', async () => {
    const outcome = await scan(async ({ until }) => {
      await until(500);
      const worker = await stopBusyProcess();
      await sleep(3 * LEASE_MS);
      worker.kill('SIGCONT');
    });
    expectWhole(outcome);
    // Reported with the next heartbeat.
    await waitFor(cluster.db, 'the refusal', () =>
      maybeOne(cluster.db, 'select pid from worker where fenced_writes > 0 limit 1'),
    );
  });

  it('is not held up by workers that stand still in the middle of a checkpoint, with their shards locked', async () => {
    const outcome = await scan(async ({ until }) => {
      await until(20_000);
      await cluster.db.tx(async (tx) => {
        await tx.query('lock table ledger in share row exclusive mode');
        await hasLockWaiter(cluster.db);
        for (const worker of cluster.workers) worker.kill('SIGSTOP');
      });
      await cluster.addWorker();
    });
    expectWhole(outcome);
  });

  it('continues when all connections to the database are cut repeatedly', async () => {
    const outcome = await scan(async ({ until }) => {
      for (const objects of [1000, 5000, 10_000, 20_000]) {
        await until(objects);
        await cluster.db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'seine' and pid <> pg_backend_pid()`,
        );
      }
    });
    expectWhole(outcome);
  });

  it('uses workers that join, and continues without those that leave', async () => {
    const outcome = await scan(async ({ until }) => {
      await until(300);
      await Promise.all([cluster.addWorker(), cluster.addWorker(), cluster.addWorker()]);
      await until(12_000);
      const leaving = cluster.workers.slice(1);
      for (const worker of leaving) worker.kill('SIGTERM');
      for (const { code, stderr } of await Promise.all(leaving.map((worker) => worker.ended)))
        expect({ code, stderr }).toMatchObject({
          code: 0,
          stderr: expect.stringContaining('Worker stopped'),
        });
    });
    expectWhole(outcome);
    await cluster.addWorker();
  });

  it('ends once, although the leading or finalizing worker is killed', async () => {
    const outcome = await scan(async ({ until, ended }) => {
      await until(FILES - 2000);
      for (let kills = 0; kills < 6 && !(await ended()); kills++) {
        const leader = await one<{ pid: number | null }>(
          cluster.db,
          `select (select pid from worker where id = holder) as pid from range_lease where group_id = 0`,
        );
        const victim = cluster.workers.find((worker) => worker.pid === leader.pid) ?? cluster.workers[0]!;
        victim.kill('SIGKILL');
        await cluster.addWorker();
      }
    });
    expectWhole(outcome);
  });
});

describe('control', () => {
  it('pause: workers release their shards; resume: they continue, and the result is the same', async () => {
    const outcome = await scan(async ({ scan: id, until, progress }) => {
      await until(1000);
      expect((await runInTime(['pause', String(id)])).code).toBe(0);
      await givenBack(id);
      const before = await progress();
      await sleep(1000);
      expect(await progress()).toBe(before);
      expect(before).toBeLessThan(FILES);
      expect((await cluster.run(['resume', String(id)])).code).toBe(0);
    });
    expectWhole(outcome);
  });

  it('cancel: the scan ends at once, is reported as cancelled, keeps its findings, and calls its hook once', async () => {
    const outcome = await scan(async ({ scan: id, until }) => {
      await until(1000);
      expect((await runInTime(['cancel', String(id)])).code).toBe(0);
    });
    expect(outcome).toMatchObject({ status: 'cancelled', hooks: 1 });
    expect(outcome.listed).toBe(outcome.ledgered);
    expect(outcome.ledgered).toBeLessThan(FILES);
  });
});
