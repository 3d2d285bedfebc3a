/**
 * How long a shard lies idle after `kill -9` of its worker: real processes, times by the database's clock. The others have to wait
 * until the lease has expired: a worker that starts on the same machine would bury the dead at once, so the killed one
 * is replaced only after the shard was taken over.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../examples/generator/random.ts';
import { maybeOne, one } from '../../src/db/database.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { makeTree } from '../corpus/tree.ts';
import { seconds, table } from '../figures.ts';
import { percentile } from '../percentile.ts';
import { openSharedCluster, type SharedCluster } from '../shared-cluster.ts';

const WORKERS = 4;
const TTL_SECONDS = 2;
const POLL_INTERVAL_MS = 10;

export const takeover: Benchmark = {
  name: 'takeover',
  about: '50 kills -9 of the worker that holds the shard: time until another one has it, by expiry',
  async run(bench) {
    const plan = { files: scaled(bench, 60_000, 5000), sizes: [200, 1500], plantedRate: 0.01 } as const;
    const { folder } = makeTree(join(bench.trees, 'takeover'), { ...plan, seed: bench.seed });
    const env = {
      SEINE_LEASE_SECONDS: String(TTL_SECONDS),
      SEINE_CONFIG: configFor(bench, folder),
    };
    const cluster = await openSharedCluster(bench, 'takeover', env);
    try {
      await cluster.setWorkerCount(WORKERS);
      const times = await killHolders(bench, cluster, folder, scaled(bench, 50, 3));
      report(bench, times);
    } finally {
      await cluster.close();
    }
  },
};

/** The folder has one shard at a time, so the other workers are idle and only the lease is measured. */
function configFor(bench: Bench, folder: string): string {
  const path = join(bench.folder, 'takeover.yaml');
  writeFileSync(path, `sources:\n  - url: ${folder}\n    cap: 1\n`);
  return path;
}

async function killHolders(
  bench: Bench,
  cluster: SharedCluster,
  target: string,
  kills: number,
): Promise<number[]> {
  const random = new Random(bench.seed, 'takeover');
  const times: number[] = [];
  while (times.length < kills) {
    await aShardIsHeld(cluster, target);
    await sleep(random.next() * TTL_SECONDS * 1000); // at any moment between two renewals
    const time = await killHolder(cluster);
    if (time !== null) times.push(time);
    await cluster.setWorkerCount(WORKERS);
  }
  return times;
}

/** Begins the next scan when the last one has ended. */
async function aShardIsHeld(cluster: SharedCluster, target: string): Promise<void> {
  for (;;) {
    if (await readHolder(cluster)) return;
    const open = await one<{ n: number }>(
      cluster.db,
      'select count(*) as n from scan where finished_at is null',
    );
    if (open.n === 0) await cluster.submit(target, ['--full']);
    await sleep(POLL_INTERVAL_MS);
  }
}

interface Holder {
  readonly lease: number;
  readonly token: number;
  readonly pid: number;
  readonly now: Date;
}

function readHolder({ db }: SharedCluster): Promise<Holder | null> {
  return maybeOne<Holder>(
    db,
    `select lease.id as lease, fencing_token as token, worker.pid, clock() as now
     from range_lease as lease join worker on worker.id = holder
     where group_id > 0 and state = 'held' and expires_at > clock()`,
  );
}

/** Seconds from the kill to the next claim; null when no worker held the shard, or it ended just before. */
async function killHolder(cluster: SharedCluster): Promise<number | null> {
  const holder = await readHolder(cluster);
  const victim = cluster.workers.find((worker) => worker.pid === holder?.pid);
  if (!holder || !victim) return null;
  victim.kill('SIGKILL');
  for (;;) {
    const now = await one<{ token: number; state: string; seconds: number }>(
      cluster.db,
      'select fencing_token as token, state, extract(epoch from claimed_at - $2)::float8 as seconds from range_lease where id = $1',
      [holder.lease, holder.now],
    );
    if (now.token > holder.token) return now.seconds;
    if (now.state !== 'held') return null;
    await sleep(POLL_INTERVAL_MS);
  }
}

function report(bench: Bench, times: readonly number[]): void {
  const asked = TTL_SECONDS + 1;
  const [least, half, most90, most] = [0, 0.5, 0.9, 1].map((part) => percentile(times, part));
  bench.log(`  ${times.length} kills of the worker that held the shard, ${WORKERS - 1} other workers idle:`);
  bench.log(
    table([
      ['from the kill to the next claim', 'min', 'median', 'p90', 'max', 'ttl', 'ttl + 1 s'],
      ['', ...[least!, half!, most90!, most!, TTL_SECONDS, asked].map(seconds)],
    ]),
  );
  const within = times.filter((time) => time <= asked).length;
  bench.log(
    `  within ttl + 1 s: ${within} of ${times.length}${within < times.length ? ': FALLS SHORT' : ''}`,
  );
}
