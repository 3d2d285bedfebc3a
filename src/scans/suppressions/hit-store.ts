/** Counts the hits of suppressions. */
import { many, one, type Queryable, type Tx } from '../../db/database.ts';

/**
 * Adds the scan's suppressed findings to the hits of the suppressions. A scan that ends again, after a
 * retry, adds the difference.
 */
export async function countHits(tx: Tx, scan: number): Promise<void> {
  if (!(await lockSuppressions(tx, scan))) return;
  await tx.query(
    `with now as (
       select by.key::bigint as id, sum(by.value::bigint)::bigint as hits
       from object_result, jsonb_each_text(suppressed_by) by
       where scan_id = $1 and suppressed_by <> '{}'
       group by by.key),
     before as (select suppression_id as id, hits from suppression_hit where scan_id = $1)
     update suppression
     set hits = suppression.hits + coalesce(now.hits, 0) - coalesce(before.hits, 0),
         last_hit_at = case when now.hits > 0 then clock() else last_hit_at end,
         last_hit_scan = case when now.hits > 0 then $1 else last_hit_scan end
     from now full join before on before.id = now.id
     where suppression.id = coalesce(now.id, before.id)`,
    [scan],
  );
  await tx.query('delete from suppression_hit where scan_id = $1', [scan]);
  await tx.query(
    `insert into suppression_hit (scan_id, suppression_id, tenant, hits)
     select $1, by.key::bigint, object.tenant, sum(by.value::bigint)
     from object_result as object, jsonb_each_text(suppressed_by) by
     where scan_id = $1 and suppressed_by <> '{}'
     group by by.key, object.tenant`,
    [scan],
  );
}

/**
 * Locked in a fixed order, so that scans that end concurrently don't deadlock. Returns false if the scan
 * has no suppressions.
 */
async function lockSuppressions(tx: Tx, scan: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select id from suppression where id in (select unnest(suppressions) from scan where id = $1)
     order by id for no key update`,
    [scan],
  );
  return rowCount > 0;
}

/** Number of findings that the scan suppressed, and of suppressions that it used. */
export async function suppressedIn(
  db: Queryable,
  scan: number,
): Promise<{ readonly findings: number; readonly suppressions: number }> {
  return one(
    db,
    `select coalesce(sum(by.value::bigint), 0)::bigint as findings, count(distinct by.key) as suppressions
     from object_result, jsonb_each_text(suppressed_by) by
     where scan_id = $1 and suppressed_by <> '{}'`,
    [scan],
  );
}

/** The paths of some objects in which it had hits in a scan. */
export function hitPaths(
  db: Queryable,
  scan: number,
  suppression: number,
  limit: number,
): Promise<{ readonly path: string; readonly hits: number }[]> {
  return many(
    db,
    `select path, (suppressed_by->>$2)::bigint as hits from object_result
     where scan_id = $1 and suppressed_by <> '{}' and suppressed_by ? $2
     order by hits desc, path limit $3`,
    [scan, String(suppression), limit],
  );
}

export interface UnusedSuppression {
  readonly id: number;
  /** The maximum number of scans of one source under it. */
  readonly scans: number;
}

/**
 * Active suppressions without hits in the last `scans` completed scans of any source, if a source was
 * scanned that often under them. Younger ones are not reported as unused.
 */
export function unusedSuppressions(
  db: Queryable,
  tenant: string,
  scans: number,
): Promise<UnusedSuppression[]> {
  return many<UnusedSuppression>(
    db,
    `with turn as (
       select under.id, scan.id as scan, source,
              row_number() over (partition by under.id, source order by scan.id desc) as age
       from scan, unnest(suppressions) as under(id)
       where tenant = $1 and status = 'completed'),
     seen as (
       select turn.id, source, count(*) as scans, coalesce(sum(hits), 0) as hits
       from turn left join suppression_hit on scan_id = turn.scan and suppression_id = turn.id
       where age <= $2
       group by turn.id, source)
     select suppression.id, max(seen.scans) as scans
     from suppression join seen on seen.id = suppression.id
     where removed_at is null and (expires_at is null or expires_at > clock())
     group by suppression.id
     having max(seen.scans) >= $2 and sum(seen.hits) = 0
     order by suppression.id`,
    [tenant, scans],
  );
}
