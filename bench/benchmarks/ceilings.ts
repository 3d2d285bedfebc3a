/** How far one PostgreSQL carries: what grows with workers, held shards, ended scans and findings, each measured by itself. */
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { type ClaimCosts, measureClaims } from '../ceilings/claim-load.ts';
import { measureConnections } from '../ceilings/connections.ts';
import { measureLeaseTable } from '../ceilings/lease-table.ts';
import { measureDeletion, measureIdleRound } from '../ceilings/retention.ts';
import { checkpointsPerSecond, shardEndsPerSecond } from '../ceilings/shard-ends.ts';
import { BURST, measureWakeUps, type WakeUps } from '../ceilings/wake-ups.ts';
import { canCount } from '../claims/statements.ts';
import { count, median, megabytes, table } from '../figures.ts';
import { percentile } from '../percentile.ts';
import { type Postgres, startPostgres } from '../postgres.ts';

const CONNECTIONS = 32;
const WORKERS = 5000;
/** How long a shard stays with a worker. */
const CLAIM_EVERY_SECONDS = 30;
const CLAIM_SECONDS = 10;
const HELD = [0, 1000, 5000, 10_000, 20_000];
const SCANS = [1, 50];

type Part = (bench: Bench, db: Database, server: Postgres) => Promise<void>;

const PARTS: Readonly<Record<string, Part>> = {
  claims,
  ends,
  notify,
  table: leaseTable,
  connections,
  retention,
  deletion,
};

export const ceilings: Benchmark = {
  name: 'ceilings',
  about: `where one PostgreSQL ends: claims with many held shards, shard ends, NOTIFY, connections, retention (--only ${Object.keys(PARTS).join(',')})`,
  runs: 3,
  async run(bench) {
    const unknown = bench.only.filter((name) => !(name in PARTS));
    if (unknown.length > 0)
      throw new Error(`No part is called ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}.`);
    const server = await startPostgres(join(bench.folder, 'ceilings'));
    const db = await openDatabase({ databaseUrl: server.url, max: CONNECTIONS });
    bench.log(`  ${server.about}; ${CONNECTIONS} connections; medians of ${bench.runs} runs`);
    try {
      await migrate(db);
      for (const [name, part] of Object.entries(PARTS))
        if (bench.only.length === 0 || bench.only.includes(name)) await part(bench, db, server);
    } finally {
      await db.close();
      await server.stop();
    }
  },
};

async function claims(bench: Bench, db: Database, server: Postgres): Promise<void> {
  if (!(await canCount(db))) return bench.log('  claims are not counted: no pg_stat_statements');
  const claimsPerSecond = Math.round(WORKERS / CLAIM_EVERY_SECONDS);
  bench.log(
    `  claims: ${count(WORKERS)} workers that claim every ${CLAIM_EVERY_SECONDS} s are ${claimsPerSecond} claims, ${4 * claimsPerSecond} checkpoints and ${claimsPerSecond} ends of shards a second, for ${CLAIM_SECONDS} s`,
  );
  const rows: string[][] = [];
  for (const scans of SCANS) {
    for (const full of HELD) {
      const held = full === 0 ? 0 : scaled(bench, full, scans);
      const load = { held, scans, seconds: CLAIM_SECONDS, claimsPerSecond, connections: CONNECTIONS };
      const runs: ClaimCosts[] = [];
      for (let n = 0; n < bench.runs; n++) runs.push(await measureClaims(db, server, load));
      const ms = (of: (run: ClaimCosts) => readonly number[], part: number) =>
        `${median(runs.map((run) => percentile(of(run), part))).toFixed(1)} ms`;
      rows.push([
        count(held),
        String(scans),
        ...[0.5, 0.99].map((part) => ms((run) => run.claims, part)),
        ms((run) => run.checkpoints, 0.99),
        ms((run) => run.ends, 0.99),
        median(runs.map((run) => run.rate)).toFixed(0),
        median(runs.map((run) => run.cores)).toFixed(2),
        count(median(runs.map((run) => run.alone.buffers))),
        `${median(runs.map((run) => run.alone.ms)).toFixed(2)} ms`,
      ]);
    }
  }
  const head = ['held shards', 'scans', 'claim p50', 'p99', 'checkpoint p99', 'end p99'];
  bench.log(table([[...head, 'claims/s reached', 'processors', 'buffers of a claim', 'alone'], ...rows]));
}

async function ends(bench: Bench, db: Database): Promise<void> {
  const shards = scaled(bench, 4000, 200);
  const rows: string[][] = [];
  for (const concurrency of [1, 8, CONNECTIONS]) {
    const [ended, written]: number[][] = [[], []];
    for (let n = 0; n < bench.runs; n++) {
      ended!.push(await shardEndsPerSecond(db, shards, concurrency));
      written!.push(await checkpointsPerSecond(db, shards, concurrency));
    }
    rows.push([String(concurrency), count(median(ended!)), count(median(written!))]);
  }
  bench.log(`  ends of ${count(shards)} shards of one scan, and as many checkpoints of positions alone:`);
  bench.log(table([['at once', 'ends/s', 'checkpoints/s'], ...rows]));
}

async function notify(bench: Bench, db: Database, server: Postgres): Promise<void> {
  const listeners = scaled(bench, 100, 10);
  const runs: WakeUps[] = [];
  for (let n = 0; n < bench.runs; n++) runs.push(await measureWakeUps(db, server, listeners));
  const of = (name: keyof WakeUps) => count(median(runs.map((run) => run[name])));
  bench.log(`  one NOTIFY with ${listeners} idle workers and nothing to claim:`);
  const head = ['woken', 'claims within 1 s', 'without one', 'most in 20 ms', `${BURST} in 1 s: claims`];
  const figures = (['heard', 'claims', 'usual', 'peak', 'burst', 'cpuMs'] as const).map(of);
  bench.log(table([[...head, 'server ms'], figures]));
}

async function leaseTable(bench: Bench, db: Database): Promise<void> {
  const [shards, each] = [scaled(bench, 2000, 50), scaled(bench, 50, 10)];
  const { updates, hot, before, after } = await measureLeaseTable(db, shards, each, CONNECTIONS);
  bench.log(
    `  table of leases: ${count(updates)} checkpoints of ${count(shards)} held shards, ${(100 * hot).toFixed(1)} % of them HOT; ${megabytes(before)} before, ${megabytes(after)} after, indexes included`,
  );
}

async function connections(bench: Bench): Promise<void> {
  const { idle, working } = await measureConnections(bench);
  bench.log(`  connections of one worker: ${idle} when it is ready, at most ${working} while it scans`);
}

async function retention(bench: Bench, db: Database): Promise<void> {
  if (!(await canCount(db))) return bench.log('  retention is not counted: no pg_stat_statements');
  const [finished, running] = [scaled(bench, 400, 20), scaled(bench, 20_000, 500)];
  const { buffers, ms } = await measureIdleRound(db, finished, running);
  bench.log(
    `  retention with nothing to delete: ${count(finished)} ended scans, one with ${count(running)} held shards: ${count(buffers)} buffers and ${ms.toFixed(1)} ms per pass`,
  );
}

async function deletion(bench: Bench, db: Database): Promise<void> {
  const [findings, each] = [scaled(bench, 1_000_000, 10_000), 100];
  const { transactions, longestMs, totalMs } = await measureDeletion(db, findings, each);
  bench.log(
    `  forgetting a scan with ${count(findings)} findings: longest transaction ${count(longestMs)} ms, ${transactions} transactions, ${count(totalMs)} ms in all`,
  );
}
