/** What the leader reads every few seconds when there is nothing to forget, and how long it takes to forget a large scan. */
import { type Database, one } from '../../src/db/database.ts';
import { applyRetention } from '../../src/scans/retention/apply-retention.ts';
import { clear, holdLeases, makeScan } from './scans.ts';

const OLD_MS = 60_000;
const ROUNDS = 5;

export interface IdleRound {
  readonly buffers: number;
  readonly ms: number;
}

/** Scans that ended long ago and keep one lease each, beside a running one with many. */
export async function measureIdleRound(db: Database, finished: number, running: number): Promise<IdleRound> {
  for (let n = 0; n < finished; n++) await finish(db, await makeScan(db, 1, n));
  await holdLeases(db, await makeScan(db, running, finished), running);
  await db.query('vacuum analyze');
  await runRetention(db); // marks the scans that need no further pass
  await db.query('select public.pg_stat_statements_reset()');
  const began = performance.now();
  for (let n = 0; n < ROUNDS; n++) await runRetention(db);
  const ms = (performance.now() - began) / ROUNDS;
  const { buffers } = await one<{ buffers: number }>(
    db,
    `select sum(shared_blks_hit + shared_blks_read)::bigint as buffers
     from public.pg_stat_statements where query not like '%pg_stat_statements%'`,
  );
  await clear(db);
  return { buffers: buffers / ROUNDS, ms };
}

/** Both passes of the leader, for roll-ups and for removals. These scans are the newest of their sources and are kept. */
function runRetention(db: Database): Promise<void> {
  return applyRetention({ finishedScansMs: OLD_MS, endedLeasesMs: OLD_MS }, (work) => db.tx(work), 2000);
}

export interface Deletion {
  readonly transactions: number;
  readonly longestMs: number;
  readonly totalMs: number;
}

/** A scan with many findings that a newer one of the same source has replaced. */
export async function measureDeletion(db: Database, findings: number, objectsOf: number): Promise<Deletion> {
  const old = await makeScan(db, 1);
  await addFindings(db, old, Math.ceil(findings / objectsOf), objectsOf);
  await finish(db, old);
  await finish(db, await makeScan(db, 1));
  await db.query('vacuum analyze');
  const times: number[] = [];
  const timed = async <T>(work: Parameters<typeof db.tx<T>>[0]) => {
    const began = performance.now();
    const answer = await db.tx(work);
    times.push(performance.now() - began);
    return answer;
  };
  // As the leader does it: again and again, a little each time.
  do await applyRetention({ finishedScansMs: OLD_MS, endedLeasesMs: null }, timed, 2000);
  while (await exists(db, old));
  await clear(db);
  return {
    transactions: times.length,
    longestMs: Math.max(...times),
    totalMs: times.reduce((sum, ms) => sum + ms, 0),
  };
}

async function exists(db: Database, scan: number): Promise<boolean> {
  const sql = 'select exists (select 1 from lease_group where id = $1) as there';
  return (await one<{ there: boolean }>(db, sql, [scan])).there;
}

/** As if it had ended a day ago. */
async function finish(db: Database, scan: number): Promise<void> {
  await db.query(`update range_lease set state = 'done' where group_id = $1`, [scan]);
  await db.query('update lease_group set remaining = 0 where id = $1', [scan]);
  await db.query(
    `update scan set status = 'completed', finished_at = clock() - interval '1 day' where id = $1`,
    [scan],
  );
}

async function addFindings(db: Database, scan: number, objects: number, each: number): Promise<void> {
  await db.query(
    `insert into object_result (scan_id, tenant, key, path, folder, outcome, size, score, points, tier, counts)
     select $1, 'default', convert_to(n::text, 'UTF8'), n::text, '', 'scanned', 10000, 50, 50, 'high',
            jsonb_build_object('email', $3::integer)
     from generate_series(1, $2::integer) as n`,
    [scan, objects, each],
  );
  await db.query(
    `insert into finding (object_id, n, tenant, detector, category, start_byte, end_byte, line, col, confidence, masked,
                          fingerprint, reasons)
     select object.id, n, 'default', 'email', 'contact', 50 * n, 50 * n + 20, n, 1, 0.9, 'a***@example.com',
            md5(object.id || ' ' || n), array['format']
     from object_result as object, generate_series(0, $2::integer - 1) as n where scan_id = $1`,
    [scan, each],
  );
}
