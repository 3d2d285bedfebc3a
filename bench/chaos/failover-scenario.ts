/**
 * The primary is lost and its asynchronous standby takes over: acknowledged commits are lost, claims among them. The holder of a claim
 * that the database has lost must not write with the lease of another worker.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { many, one } from '../../src/db/database.ts';
import type { Running } from '../../test/support/seine.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { type Loss, type ReplicatedPostgres, startReplicatedPostgres } from '../replicated-postgres.ts';
import type { Result, Scenario } from './scenario.ts';
import { openStage, type Played, type Stage } from './stage.ts';

const WORKERS = 4;
/** How many milliseconds of commits are lost at most, and how long the address is unreachable. */
const MAX_LOST_MS = 1500;
const MAX_AWAY_MS = 3000;
/** What was written before the workers ended has reached the standby. */
const SETTLE_MS = 200;
const CLAIMED_WITHIN_MS = 20_000;
const MAX_WRITING_MS = 100;
/** Some workers find the new primary so much later than others. */
const MAX_LATE_MS = 1500;

export function failoverScenarios(): Scenario[] {
  return [
    {
      name: 'failover',
      about:
        'the primary lost in mid-scan, its asynchronous standby promoted without the last commits; twice for each of --runs',
      play: ({ bench }) => failOverOften(bench),
    },
  ];
}

async function failOverOften(bench: Bench): Promise<Result> {
  let servers: ReplicatedPostgres | null = null;
  const stage = await openStage(bench, 'chaos-failover', {}, async (folder) => {
    servers = await startReplicatedPostgres(folder);
    return servers;
  });
  try {
    return await rounds(stage, servers!);
  } finally {
    await stage.close();
  }
}

async function rounds(stage: Stage, servers: ReplicatedPostgres): Promise<Result> {
  const { cluster, bench, random } = stage;
  const objects = scaled(bench, 150_000, 30_000);
  const target = { target: `sim:tenants/${objects}/${bench.seed}`, objects };
  const losses: Loss[] = [];
  const scans: Played[] = [];
  let died = 0;
  await cluster.setWorkerCount(WORKERS);
  await stage.calmSeconds(target);
  for (let round = 0; round < 2 * bench.runs; round++) {
    await servers.addStandby();
    const others = round % 2 === 0 ? await stoppedWorkers(stage, servers) : [];
    const played = await stage.scan(target, async ({ until, ended }) => {
      await until(objects * (0.05 + 0.7 * random.next()));
      const paused =
        others.length > 0 ? await loseClaims(stage, servers, others) : await loseCommits(stage, servers);
      losses.push(await servers.failOver(MAX_AWAY_MS * random.next(), () => MAX_LATE_MS * random.next()));
      await sleep(MAX_LATE_MS * random.next());
      for (const worker of paused) worker.kill('SIGCONT');
      // A worker must wait for the new primary; one that ends is replaced, so that the scan can show what became of it.
      for (; !(await ended()); await sleep(200)) {
        died += WORKERS - cluster.workers.length;
        await cluster.setWorkerCount(WORKERS);
      }
    });
    scans.push(played);
    bench.log(
      `    round ${round + 1}: ${shownLoss(losses.at(-1)!)}; scan ${played.outcome.scan} ${played.whole ? 'whole' : 'DIFFERS'}`,
    );
  }
  const sum = (of: keyof Loss) => losses.reduce((all, loss) => all + loss[of], 0);
  return {
    done: `${losses.length} failovers; lost ${sum('transactions')} transactions, ${sum('claims')} claims, ${sum('checkpoints')} checkpoints`,
    scans,
    also: [
      { holds: sum('transactions') > 0, what: 'failover: committed transactions were really lost' },
      { holds: sum('claims') > 0, what: 'failover: claims were among them' },
      { holds: died === 0, what: `failover: every worker waited for the new primary (${died} ended)` },
    ],
  };
}

/** Whatever is committed in a while of work. */
async function loseCommits({ random }: Stage, servers: ReplicatedPostgres): Promise<Running[]> {
  servers.stallReplication();
  await sleep(MAX_LOST_MS * random.next());
  return [];
}

/**
 * All workers are killed, others claim their leases, and two of these are suspended at the same moment: they hold claims that the new
 * primary has never seen, and continue when the same leases have been claimed by other workers, with equal tokens.
 */
async function loseClaims(
  { cluster, random }: Stage,
  servers: ReplicatedPostgres,
  others: readonly Running[],
): Promise<Running[]> {
  const killed = cluster.workers.filter((worker) => !others.includes(worker));
  for (const worker of killed) worker.kill('SIGKILL');
  await Promise.all(killed.map((worker) => worker.ended));
  await sleep(SETTLE_MS);
  servers.stallReplication();
  const { now } = await one<{ now: Date }>(cluster.db, 'select clock() as now');
  for (const worker of others) worker.kill('SIGCONT');
  const claimed = `select distinct worker.pid from range_lease as lease join worker on worker.id = holder
    where lease.state = 'held' and claimed_at > $1 and group_id > 0`;
  let holders: number[] = [];
  for (const deadline = Date.now() + CLAIMED_WITHIN_MS; Date.now() < deadline; await sleep(1)) {
    holders = (await many<{ pid: number }>(cluster.db, claimed, [now])).map(({ pid }) => pid);
    if (holders.length > 0) break;
  }
  await sleep(MAX_WRITING_MS * random.next());
  const paused = others.filter(({ pid }) => holders.includes(pid)).slice(0, WORKERS / 2);
  for (const worker of paused) worker.kill('SIGSTOP');
  return paused;
}

/** Ready, and stopped until they are needed. Each has an address of its own, so that they find the new primary one by one. */
async function stoppedWorkers({ cluster }: Stage, servers: ReplicatedPostgres): Promise<Running[]> {
  const others = await Promise.all(
    Array.from({ length: WORKERS }, async () =>
      cluster.addWorker([], { env: { DATABASE_URL: await servers.addAddress() } }),
    ),
  );
  for (const worker of others) worker.kill('SIGSTOP');
  return others;
}

function shownLoss({ bytes, transactions, claims, checkpoints }: Loss): string {
  return `lost ${bytes} bytes of WAL, ${transactions} transactions, ${claims} claims, ${checkpoints} checkpoints`;
}
