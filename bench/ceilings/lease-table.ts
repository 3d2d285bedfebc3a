/** What many checkpoints leave behind in the table of leases: its size, and how many updates touched no index. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, one } from '../../src/db/database.ts';
import { advance, clear, holdLeases, makeScan } from './scans.ts';

/** A backend that has been idle for this long has flushed its statistics. */
const STATS_FLUSHED_AFTER_MS = 11_000;
const WAIT_TIMEOUT_MS = 60_000;

export interface LeaseTable {
  readonly updates: number;
  /** Part of the updates that touched no index (heap-only tuples). */
  readonly hot: number;
  /** Bytes of table and indexes, before and after. */
  readonly before: number;
  readonly after: number;
}

/** `each` checkpoints of `shards` held shards, over so many connections. Autovacuum as the server has it. */
export async function measureLeaseTable(
  db: Database,
  shards: number,
  each: number,
  connections: number,
): Promise<LeaseTable> {
  const scan = await makeScan(db, shards + 1);
  const held = await holdLeases(db, scan, shards);
  await db.query('vacuum full lease');
  await sleep(STATS_FLUSHED_AFTER_MS); // otherwise earlier claims would be flushed later, and counted as checkpoints
  await db.query('select pg_stat_reset_single_table_counters($1::regclass)', ['range_lease']);
  const before = await readStats(db);
  let next = 0;
  const loop = async () => {
    // A shard belongs to one connection at a time: all are written before one is written again.
    for (let n = next++; n < shards * each; n = next++) {
      const place = n % shards;
      held[place] = await advance(db, held[place]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(connections, shards) }, loop));
  const after = await untilReported(db, before.updates + shards * each);
  await clear(db);
  const updates = after.updates - before.updates;
  return { updates, hot: (after.hot - before.hot) / updates, before: before.bytes, after: after.bytes };
}

interface TableStats {
  readonly updates: number;
  readonly hot: number;
  readonly bytes: number;
}

/** Backends flush their statistics when they have been idle for a while. */
async function untilReported(db: Database, updates: number): Promise<TableStats> {
  for (const deadline = Date.now() + WAIT_TIMEOUT_MS; Date.now() < deadline; await sleep(200)) {
    const seen = await readStats(db);
    if (seen.updates >= updates) return seen;
  }
  throw new Error(`The server has not counted ${updates} updates of leases.`);
}

function readStats(db: Database): Promise<TableStats> {
  return one<TableStats>(
    db,
    `select n_tup_upd as updates, n_tup_hot_upd as hot, pg_total_relation_size(relid) as bytes
     from pg_stat_user_tables where relid = 'range_lease'::regclass`,
  );
}
