/** A shard is a lease of a scan, with its own counters. */
import type { Range } from '../../base/range.ts';
import { one, type Queryable, type Tx } from '../../db/database.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { ERROR_PREFIXES } from '../results/reason-code.ts';

/** Adds a claimable shard for each range. */
export async function addRanges(tx: Tx, scan: number, ranges: readonly Range[]): Promise<void> {
  await addShards(tx, scan, await addLeases(tx, scan, ranges));
}

/**
 * `range`: a range of the listing. `retry`: single objects that are retried. `part`: a segment of one huge
 * object.
 */
export type ShardKind = 'range' | 'retry' | 'part';

export async function addShards(
  tx: Tx,
  scan: number,
  leases: readonly number[],
  kind: ShardKind = 'range',
): Promise<void> {
  await tx.query(
    `insert into shard (lease_id, scan_id, tenant, kind)
     select l.id, scan.id, scan.tenant, $3 from scan, unnest($2::bigint[]) as l(id) where scan.id = $1`,
    [scan, leases, kind],
  );
}

/**
 * How many of these would leave a gap if they were not processed: not retries, whose objects have an
 * earlier outcome.
 */
export async function countUnscannedShards(tx: Tx, leases: readonly number[]): Promise<number> {
  const { holes } = await one<{ holes: number }>(
    tx,
    `select count(*) as holes from shard where lease_id = any($1::bigint[]) and kind <> 'retry'`,
    [leases],
  );
  return holes;
}

/** The properties of a scan that may change while a process works on it. */
export interface ScanRevision {
  readonly rulesHash: string;
  readonly inventoryKey: string;
  /** Differs if the scan's id was reused, after a failover that lost the first scan with that id. */
  readonly createdAt: Date;
  readonly budgeted: boolean;
}

/** The shard's type, the current revision of its scan, and whether the scan has started. */
export async function readShard(
  db: Queryable,
  lease: number,
): Promise<ScanRevision & { kind: ShardKind; started: boolean }> {
  return one(
    db,
    `select shard.kind, scan.rules_hash as "rulesHash", scan.inventory_key as "inventoryKey", scan.created_at as "createdAt",
            exists (select 1 from lease_group_budget where group_id = scan.id) as budgeted,
            exists (select 1 from workflow join event on workflow_key = key and command_id = 'started'
                    where workflow.tenant = scan.tenant and name = 'scan' and workflow.id = scan.id::text) as started
     from shard join scan on scan.id = shard.scan_id
     where lease_id = $1`,
    [lease],
  );
}

export interface CoverageSums {
  readonly listed: number;
  readonly ledgered: number;
  readonly dead: number;
}

/** The number of objects listed by the shards, and of those in the coverage: they must be equal. */
export async function coverageSums(db: Queryable, scan: number): Promise<CoverageSums> {
  const { rows } = await db.query<CoverageSums>(
    `select (select coalesce(sum(listed), 0)::bigint from shard where scan_id = $1) as listed,
            (select coalesce(sum(objects), 0)::bigint from ledger where scan_id = $1) as ledgered,
            (select coalesce(sum(objects), 0)::bigint from ledger where scan_id = $1 and outcome = 'dead') as dead`,
    [scan],
  );
  return rows[0]!;
}

/** Objects that were not read, or not completely, because of an error, besides the dead ones. */
export async function countLeftOut(db: Queryable, scan: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select coalesce(sum(objects), 0)::bigint as n from ledger
     where scan_id = $1 and outcome in ('partial', 'skipped')
       and exists (select 1 from unnest($2::text[]) error where starts_with(reason, error))`,
    [scan, ERROR_PREFIXES],
  );
  return rows[0]!.n;
}

/** Scans with shards that a worker on this host may split; the highest priority first. */
export async function stealableScans(
  db: Queryable,
  place: string,
  offers: readonly string[],
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select lease_group.id from lease_group
     where lease_group.kind = 'shard' and lease_group.remaining > 0 and not lease_group.paused
       and (lease_group.host_affinity is null or lease_group.host_affinity = $1)
       and (lease_group.requires is null or lease_group.requires = any($2::text[]))
       and exists (select 1 from range_lease as lease where lease.group_id = lease_group.id and lease.state = 'held')
     order by lease_group.priority desc, lease_group.id
     limit 4`,
    [place, offers],
  );
  return rows.map((row) => row.id);
}

/** Scans that a worker on this host with these offers could still work on, or that are being finalized. */
export async function unfinishedScans(
  db: Queryable,
  place: string,
  offers: readonly string[],
): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*) as n from scan join lease_group on lease_group.id = scan.id
     where scan.finished_at is null and not lease_group.paused and (lease_group.host_affinity is null or lease_group.host_affinity = $1)
       and (lease_group.requires is null or lease_group.requires = any($2::text[]))`,
    [place, offers],
  );
  return rows[0]!.n;
}
