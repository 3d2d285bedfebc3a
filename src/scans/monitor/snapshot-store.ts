/** SQL statements of a snapshot, one function each; those about workers are in worker-activity-store.ts. */
import { many, maybeOne, one, type Queryable, type Tx } from '../../db/database.ts';
import { reasonText } from '../results/reason-code.ts';
import type { ObjectOutcome } from '../results/report.ts';
import type { Amount, DeadLetters, Leadership, ScanProgress, ShardCounts, Spread } from './snapshot.ts';

/** All statements of a snapshot read the same state of the database, so that its sums are consistent. */
export async function beginReadOnly(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only');
}

export async function readClock(tx: Tx): Promise<Date> {
  return (await one<{ at: Date }>(tx, 'select clock() as at')).at;
}

export async function readScanProgress(
  tx: Tx,
  scan: number,
): Promise<(ScanProgress & { readonly at: Date }) | null> {
  return maybeOne(
    tx,
    `select scan.id, source, status, error, reopen_count as round, paused, host_affinity as place, clock() as at,
            extract(epoch from coalesce(finished_at, clock()) - created_at)::double precision as "elapsedSeconds",
            active_seconds as "workedSeconds"
     from scan join lease_group on lease_group.id = scan.id
     where scan.id = $1`,
    [scan],
  );
}

export async function sumOutcomes(
  tx: Tx,
  scan: number,
): Promise<(Amount & { readonly outcome: ObjectOutcome })[]> {
  return many(
    tx,
    `select outcome, sum(objects)::bigint as objects, sum(bytes) as bytes
     from ledger where scan_id = $1
     group by outcome`,
    [scan],
  );
}

export async function countShards(tx: Tx, scan: number): Promise<ShardCounts> {
  return one(
    tx,
    `select count(*) filter (where state = 'waiting') as waiting,
            count(*) filter (where state = 'held') as held,
            count(*) filter (where state = 'done') as done,
            count(*) filter (where state = 'failed') as failed,
            count(*) filter (where state = 'cancelled') as cancelled,
            count(*) filter (where state = 'waiting' and not_before > clock()) as delayed,
            count(*) filter (where state = 'held' and expires_at < clock()) as expired,
            count(*) filter (where parent is not null) as splits,
            coalesce(sum(greatest(fencing_token - 1, 0)), 0)::bigint as retries
     from shard join range_lease as lease on lease.id = shard.lease_id
     where shard.scan_id = $1`,
    [scan],
  );
}

/** The most frequent error groups, and the total number of groups. */
export async function countDeadLetters(tx: Tx, scan: number, max: number): Promise<DeadLetters> {
  const rows = await many<{ signature: string; count: number; total: number; lastMinute: number }>(
    tx,
    // Workers of earlier versions store sentences.
    `select reason_code(stored) as signature, sum(letters)::bigint as count,
            (sum(sum(letters)) over ())::bigint as total,
            (sum(sum(fresh)) over ())::bigint as "lastMinute"
     from (select signature as stored, count(*) as letters, count(*) filter (where created_at > clock() - interval '1 minute') as fresh
           from dead_letter
           where scan_id = $1 and state in ('open', 'retrying')
           group by signature) as counted
     group by reason_code(stored)
     order by count desc, signature
     limit $2`,
    [scan, max],
  );
  return {
    total: rows[0]?.total ?? 0,
    lastMinute: rows[0]?.lastMinute ?? 0,
    signatures: rows.map(({ signature, count }) => ({ signature: reasonText(signature), count })),
  };
}

/** Leadership is a lease; its token counts the terms. */
export async function readLeadership(tx: Tx): Promise<Leadership | null> {
  return maybeOne(
    tx,
    `select leads.holder as worker, split_part(worker.host, '/', 1) as host, worker.pid,
            extract(epoch from clock() - leads.claimed_at)::double precision as "sinceSeconds", leads.fencing_token as term
     from (select fencing_token,
                  case when state = 'held' and expires_at >= clock() then holder end as holder,
                  case when state = 'held' and expires_at >= clock() then claimed_at end as claimed_at
           from range_lease
           where state in ('waiting', 'held') and fencing_token > 0
             and group_id = (select min(id) from lease_group where kind = 'leader' and remaining > 0)) leads
     left join worker on worker.id = leads.holder`,
  );
}

/**
 * Connections of the whole server, other clients included. The last few are reserved for its
 * administrators.
 */
export async function countConnections(tx: Tx): Promise<{ used: number; most: number }> {
  return one(
    tx,
    `select (select sum(numbackends)::integer from pg_stat_database) as used,
            current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as most`,
  );
}

/** Totals of the newest completed scan of the same scope and source; null when there was none. */
export async function sumOfEarlierScan(tx: Tx, scan: number): Promise<Amount | null> {
  return maybeOne(
    tx,
    `select sum(objects)::bigint as objects, sum(bytes) as bytes
     from ledger
     where scan_id = (select earlier.id
       from scan join scan earlier on earlier.tenant = scan.tenant
         and hashtextextended(earlier.source, 0) = hashtextextended(scan.source, 0) and earlier.source = scan.source
         and earlier.scope_hash = scan.scope_hash and earlier.id < scan.id
       where scan.id = $1 and earlier.status = 'completed'
       order by earlier.id desc
       limit 1)
     having count(*) > 0`,
    [scan],
  );
}

/** The default scan of commands: the newest that has not ended, or else the newest. */
export async function scanToWatch(db: Queryable, tenant: string): Promise<number | null> {
  const row = await maybeOne<{ id: number }>(
    db,
    'select id from scan where tenant = $1 order by finished_at is null desc, id desc limit 1',
    [tenant],
  );
  return row?.id ?? null;
}

/**
 * A wider spread, such as from a thousand to a billion, is useless, and a progress bar made from it would
 * not move.
 */
const MAX_SPREAD = 20;

/** The plan's estimate; null when there was none, or it is too vague. */
export async function readEstimate(
  db: Queryable,
  scan: number,
): Promise<{ objects: Spread; bytes: Spread | null } | null> {
  const row = await maybeOne<{ estimate: { objects: Spread; bytes: Spread } | null }>(
    db,
    'select estimate from scan where id = $1',
    [scan],
  );
  if (!row?.estimate || row.estimate.objects.high > MAX_SPREAD * row.estimate.objects.low) return null;
  return { objects: row.estimate.objects, bytes: row.estimate.bytes };
}
