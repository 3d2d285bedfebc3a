/** The shards of a scan, one row each. */
import { many, type Queryable } from '../../db/database.ts';
import { reasonText } from '../results/reason-code.ts';
import type { ShardKind } from '../shard/shard-store.ts';
import { formatRanges, type KeyRange } from './formatted-range.ts';

export const SHARD_STATES = ['failed', 'held', 'waiting', 'cancelled', 'done'] as const;
export type ShardState = (typeof SHARD_STATES)[number];

export interface ShardSummary {
  readonly shard: number;
  readonly kind: ShardKind;
  readonly state: ShardState;
  readonly after: string;
  readonly cursor: string;
  /** Null: up to the end of the source. */
  readonly upTo: string | null;
  readonly listed: number;
  readonly bytesRead: number;
  /** Claims since the cursor last moved. */
  readonly attempts: number;
  /** Total number of claims. */
  readonly claims: number;
  /** The shard it was split from. */
  readonly parent: number | null;
  readonly worker: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly expired: boolean;
  readonly stillSeconds: number;
  readonly error: string | null;
}

type Row = Omit<ShardSummary, keyof KeyRange> & KeyRange;

/** The most relevant shards, in key order, and the total number. */
export async function listShardSummaries(
  db: Queryable,
  scan: number,
  states: readonly ShardState[],
  limit: number,
): Promise<{ readonly shards: ShardSummary[]; readonly total: number }> {
  const rows = await many<Row & { readonly total: number }>(
    db,
    `select lease.id as shard, kind, state, after_key as after, cursor, up_to as "upTo", listed, bytes_read as "bytesRead",
            claims_since_progress as attempts, fencing_token as claims, parent, holder as worker, split_part(host, '/', 1) as host, pid,
            state = 'held' and expires_at < clock() as expired,
            extract(epoch from clock() - greatest(claimed_at, cursor_moved_at))::double precision as "stillSeconds", error,
            count(*) over () as total
     from shard join range_lease as lease on lease.id = shard.lease_id
     left join worker on worker.id = holder
     where shard.scan_id = $1 and state = any($2::text[])
     order by array_position('{failed,held,waiting,cancelled,done}', state), after_key, lease.id
     limit $3`,
    [scan, states, limit],
  );
  const total = rows[0]?.total ?? 0;
  const shards = await formatRanges(
    db,
    rows.map(({ total: _, ...row }): Row => ({ ...row, error: row.error && reasonText(row.error) })),
  );
  return { shards, total };
}
