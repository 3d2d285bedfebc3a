import { maybeOne, type Queryable } from '../../db/database.ts';

/** The scan of the same source that ended before this one started; null if there is none. */
export async function previousScan(
  db: Queryable,
  scan: { readonly id: number; readonly tenant: string; readonly source: string },
): Promise<number | null> {
  const row = await maybeOne<{ id: number }>(
    db,
    `select id from scan
     where tenant = $1 and hashtextextended(source, 0) = hashtextextended($2, 0) and source = $2 and id < $3
       and status in ('completed', 'incomplete', 'failed')
     order by id desc limit 1`,
    [scan.tenant, scan.source, scan.id],
  );
  return row?.id ?? null;
}
