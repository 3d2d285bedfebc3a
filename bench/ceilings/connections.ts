/** Connections that one `seine worker` process opens, counted by the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Bench, scaled } from '../benchmark.ts';
import { openSharedCluster } from '../shared-cluster.ts';

export interface Connections {
  readonly idle: number;
  /** The most while it worked on a scan. */
  readonly working: number;
}

const POLL_INTERVAL_MS = 10;

export async function measureConnections(bench: Bench): Promise<Connections> {
  // `cluster.db` is not used, so it opens no connection: every one is the worker's, but for ours, which has another name.
  const cluster = await openSharedCluster(bench, 'ceilings-connections');
  const asking = new pg.Client({ connectionString: cluster.postgres.url, application_name: 'bench' });
  await asking.connect();
  const count = async () => {
    const { rows } = await asking.query(
      `select count(*)::integer as n from pg_stat_activity where application_name = 'seine'`,
    );
    return rows[0].n as number;
  };
  try {
    await cluster.setWorkerCount(1);
    const idle = await count();
    const objects = scaled(bench, 200_000, 20_000);
    const scan = await cluster.submit(`sim:tenants/${objects}/${bench.seed}`, ['--full']);
    let working = 0;
    for (let finished = false; !finished; await sleep(POLL_INTERVAL_MS)) {
      working = Math.max(working, await count());
      const { rows } = await asking.query('select finished_at from seine.scan where id = $1', [scan]);
      finished = rows[0].finished_at !== null;
    }
    return { idle, working };
  } finally {
    await asking.end();
    await cluster.close();
  }
}
