import { keyFromBytes } from '../../base/key.ts';
import { many, type Queryable } from '../../db/database.ts';
import type { Report } from './report.ts';

const MAX_ROWS = 8;

/**
 * The worst archives and documents, one of each kind (by file extension), with their highest-weighted
 * embedded finding. `detectors`: by descending weight. Objects that are only compressed are no archives.
 */
export async function readWorstEmbedded(
  db: Queryable,
  scan: number,
  detectors: readonly string[],
): Promise<Report['insides']> {
  const rows = await many<Omit<Report['insides'][number], 'key'> & { key: Buffer }>(
    db,
    `select detector, masked, key, part, line
     from (select distinct on (ending) heaviest.*, object.key, object.points
           from object_result as object
           cross join lateral (select coalesce(lower(substring(path from '\\.([^./]+)$')), '') as ending) name
           cross join lateral (select detector, masked, part, line from finding
                               where object_id = object.id and part is not null
                                 and part !~ '^#(gzip|bzip2|zstd|xz|lzma)'
                               order by array_position($2::text[], detector), confidence desc, n limit 1) heaviest
           where scan_id = $1 and tier is not null
           order by ending, points desc, object.key) worst
     order by points desc, key
     limit ${MAX_ROWS}`,
    [scan, detectors],
  );
  return rows.map((row) => ({ ...row, key: keyFromBytes(row.key) }));
}
