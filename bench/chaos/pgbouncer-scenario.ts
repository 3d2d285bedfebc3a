/** Workers behind PgBouncer in transaction mode: no statement meets the session of the one before. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, scaled } from '../benchmark.ts';
import { type PgBouncer, startPgBouncer, whyNoPgBouncer } from '../pgbouncer.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { type Result, type Scenario, Skipped } from './scenario.ts';
import { openStage, type Stage } from './stage.ts';

const WORKERS = 4;
/** Fewer than the workers would open by themselves. */
const POOL = 6;
const KILL_EVERY_MS = 2000;

export function pgBouncerScenarios(): Scenario[] {
  return [
    {
      name: 'pgbouncer',
      about:
        'PgBouncer in transaction mode with a small pool; kill -9 of a worker every 2 s, and of PgBouncer once',
      play: ({ bench }) => behindPgBouncer(bench, 'pgbouncer', []),
    },
    {
      name: 'pgbouncer-drops-options',
      about: 'the same, with a PgBouncer that drops start-up options without a word',
      play: ({ bench }) => behindPgBouncer(bench, 'pgbouncer-drops-options', ['options']),
    },
  ];
}

async function behindPgBouncer(bench: Bench, name: string, ignoring: readonly string[]): Promise<Result> {
  const missing = await whyNoPgBouncer();
  if (missing !== null) throw new Skipped(missing);
  const server = await startPostgres(join(bench.folder, `${name}-server`));
  const pooler = await startPgBouncer(join(bench.folder, name), server.socket, { pool: POOL, ignoring });
  try {
    const env = { DATABASE_URL: pooler.url, SEINE_DIRECT_DATABASE_URL: server.url };
    const stage = await openStage(bench, name, env, async () => server);
    try {
      return await killWorkers(stage, pooler, server, name);
    } finally {
      await stage.close();
    }
  } finally {
    await pooler.stop();
    await server.stop();
  }
}

async function killWorkers(stage: Stage, pooler: PgBouncer, server: Postgres, name: string): Promise<Result> {
  const { cluster, bench } = stage;
  const objects = scaled(bench, 400_000, 40_000);
  const target = { target: `sim:tenants/${objects}/${bench.seed}`, objects };
  let [kills, restarts] = [0, 0];
  await cluster.setWorkerCount(WORKERS);
  await stage.calmSeconds(target);
  const played = await stage.scan(target, async ({ until, ended }) => {
    await until(objects / 20);
    while (!(await ended())) {
      stage.anyWorker().kill('SIGKILL');
      kills++;
      if (restarts++ === 0) await pooler.restart();
      await cluster.setWorkerCount(WORKERS);
      await sleep(KILL_EVERY_MS);
    }
  });
  return {
    done: `${kills} kills; ${POOL} connections for ${WORKERS} workers`,
    scans: [played],
    also: [{ holds: kills > 0, what: `${name}: workers were killed in mid-scan (${server.about})` }],
  };
}
