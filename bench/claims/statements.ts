/** What a scan asks of the database, counted by the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, many, one } from '../../src/db/database.ts';
import type { SharedCluster } from '../shared-cluster.ts';

export interface Counted {
  readonly statements: number;
  /** Without `begin` and `commit`. */
  readonly working: number;
  readonly seconds: number;
  /** The most frequent ones, shortened. */
  readonly most: readonly { readonly calls: number; readonly sql: string }[];
}

/** Null: this server can't count. */
export async function canCount(db: Database): Promise<boolean> {
  try {
    await db.query('create extension if not exists pg_stat_statements schema public');
    return true;
  } catch {
    return false;
  }
}

export async function countScan(cluster: SharedCluster, target: string): Promise<Counted> {
  return count(cluster.db, async () => {
    const scan = await cluster.submit(target, ['--full']);
    for (;;) {
      // Its text distinguishes our own query from theirs.
      const { observed } = await one<{ observed: boolean }>(
        cluster.db,
        'select finished_at is not null as observed from scan where id = $1',
        [scan],
      );
      if (observed) return;
      await sleep(50);
    }
  });
}

export function countIdle(cluster: SharedCluster, seconds: number): Promise<Counted> {
  return count(cluster.db, () => sleep(seconds * 1000));
}

async function count(db: Database, work: () => Promise<unknown>): Promise<Counted> {
  await db.query('select public.pg_stat_statements_reset()');
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const rows = await many<{ calls: number; sql: string }>(
    db,
    `select calls, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as sql
     from public.pg_stat_statements
     where query not like '%as observed%' and query not like '%pg_stat_statements%'
     order by calls desc`,
  );
  const sum = (some: typeof rows) => some.reduce((total, { calls }) => total + calls, 0);
  const working = rows.filter(({ sql }) => !/^(begin|commit)/i.test(sql));
  return { statements: sum(rows), working: sum(working), seconds, most: working.slice(0, 8) };
}
