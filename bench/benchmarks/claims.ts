/** What the database makes possible: claims a second against the queue of another project, checkpoints, statements of a scan. */
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { type CheckpointLoad, measureCheckpoints } from '../claims/checkpoints.ts';
import { graphileQueue, jobQueue, leaseQueue, type Queue } from '../claims/queues.ts';
import { type Counted, canCount, countIdle, countScan } from '../claims/statements.ts';
import { count, median, table, times } from '../figures.ts';
import { percentile } from '../percentile.ts';
import { openSharedCluster, type SharedCluster } from '../shared-cluster.ts';

const CONCURRENCY = 10;
const BATCH = 100;
const OTHERS = 8;
const IDLE_SECONDS = 5;

export const claims: Benchmark = {
  name: 'claims',
  about: 'claim + complete a second against graphile-worker; checkpoints; statements of a scan',
  async run(bench) {
    const cluster = await openSharedCluster(bench, 'claims');
    const { url } = cluster.postgres;
    const db = await openDatabase({ databaseUrl: url, max: CONCURRENCY });
    try {
      await migrate(db);
      await compareQueues(bench, db, url);
      await checkpoints(bench, db);
      await statements(bench, cluster);
    } finally {
      await db.close();
      await cluster.close();
    }
  },
};

async function compareQueues(bench: Bench, db: Database, url: string): Promise<void> {
  const pieces = scaled(bench, 10_000, 200);
  const queues = [
    leaseQueue(db, 1),
    leaseQueue(db, CONCURRENCY),
    jobQueue(db),
    await graphileQueue(url, CONCURRENCY + 2),
  ];
  const rows: string[][] = [];
  for (const batch of [1, BATCH]) {
    const able = queues.filter((queue) => batch === 1 || !queue.claimsOneAtATime);
    const rates = await ratesOf(bench, db, able, pieces, batch);
    const how = batch === 1 ? 'one at a time' : `${batch} at once`;
    for (const [n, queue] of able.entries())
      rows.push([queue.name, how, count(rates[n]!), times(rates[0]! / rates[n]!)]);
  }
  for (const queue of queues) await queue.close();
  bench.log(
    `  ${count(pieces)} pieces of work, ${CONCURRENCY} loops in one process, VACUUM ANALYZE before each; medians of ${bench.runs} in turns`,
  );
  bench.log(table([['', 'claimed', 'claim + complete/s', 'the first is'], ...rows]));
}

async function ratesOf(
  bench: Bench,
  db: Database,
  queues: readonly Queue[],
  pieces: number,
  batch: number,
): Promise<number[]> {
  const taken: number[][] = queues.map(() => []);
  for (let n = 0; n < bench.runs; n++) {
    for (const [place, queue] of queues.entries()) {
      await queue.fill(pieces);
      await db.query('vacuum analyze');
      taken[place]!.push(await queue.drain(pieces, CONCURRENCY, batch));
    }
  }
  return taken.map((seconds) => pieces / median(seconds));
}

async function checkpoints(bench: Bench, db: Database): Promise<void> {
  const each = scaled(bench, 100, 5);
  const loads: (CheckpointLoad & { name: string })[] = [
    { name: '500 clean objects', each, shards: OTHERS + 1, objects: 500, findings: 0 },
    { name: '500 objects, 50 of them with a finding', each, shards: OTHERS + 1, objects: 500, findings: 50 },
  ];
  const rows: string[][] = [];
  for (const load of loads) {
    await db.query('vacuum analyze');
    const ms = await measureCheckpoints(db, load);
    const figures = [0.5, 0.99, 1].map((part) => `${percentile(ms, part).toFixed(1)} ms`);
    rows.push([load.name, count(ms.length), ...figures]);
  }
  bench.log(`  a checkpoint while ${OTHERS} others write theirs:`);
  bench.log(table([['', 'checkpoints', 'p50', 'p99', 'longest'], ...rows]));
}

async function statements(bench: Bench, cluster: SharedCluster): Promise<void> {
  if (!(await canCount(cluster.db))) return bench.log('  statements are not counted: no pg_stat_statements');
  const objects = scaled(bench, 200_000, 5000);
  const target = `sim:tenants/${objects}/${bench.seed}`;
  const rows: string[][] = [];
  let [last, idle]: (Counted | null)[] = [null, null];
  for (const workers of [1, 4]) {
    await cluster.setWorkerCount(workers);
    last = await countScan(cluster, target);
    idle = await countIdle(cluster, IDLE_SECONDS);
    rows.push([
      `${workers}`,
      count(last.statements),
      ((1000 * last.statements) / objects).toFixed(2),
      ((1000 * last.working) / objects).toFixed(2),
      last.seconds.toFixed(1),
      (idle.statements / idle.seconds).toFixed(1),
    ]);
  }
  bench.log(`  statements of a scan of ${count(objects)} simulated objects, counted by pg_stat_statements:`);
  const head = [
    'workers',
    'statements',
    'for 1,000 objects',
    'without begin, commit',
    'seconds',
    'a second when idle',
  ];
  bench.log(table([head, ...rows]));
  for (const [when, counted] of [
    ['in the last one', last!],
    [`in ${IDLE_SECONDS} s without work`, idle!],
  ] as const) {
    bench.log(`  the most frequent ${when}:`);
    for (const { calls, sql } of counted.most) bench.log(`    ${count(calls).padStart(8)}  ${sql}`);
  }
}
