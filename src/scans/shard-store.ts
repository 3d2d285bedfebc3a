/** A shard is a lease of a scan, with counters of its own. */
import type { Queryable, Tx } from '../db/database.ts';

export async function addShards(tx: Tx, scan: number, leases: readonly number[]): Promise<void> {
  await tx.query(
    `insert into shard (lease_id, scan_id, tenant)
     select l.id, scan.id, scan.tenant from scan, unnest($2::bigint[]) as l(id) where scan.id = $1`,
    [scan, leases],
  );
}

export interface CoverageSums {
  readonly listed: number;
  readonly ledgered: number;
  readonly dead: number;
}

/** Listed by the shards, and accounted for in the ledger: the same number, or something is wrong. */
export async function coverageSums(db: Queryable, scan: number): Promise<CoverageSums> {
  const { rows } = await db.query<CoverageSums>(
    `select (select coalesce(sum(listed), 0)::bigint from shard where scan_id = $1) as listed,
            (select coalesce(sum(objects), 0)::bigint from ledger where scan_id = $1) as ledgered,
            (select coalesce(sum(objects), 0)::bigint from ledger where scan_id = $1 and outcome = 'dead') as dead`,
    [scan],
  );
  return rows[0]!;
}
