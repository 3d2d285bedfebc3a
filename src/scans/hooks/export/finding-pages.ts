/**
 * All findings of a scan in order of key and place, a page at a time: one object may have millions, so neither the number of
 * objects nor their findings decide how much is in memory.
 */
import { many, type Queryable } from '../../../db/database.ts';
import type { Finding } from '../../finding.ts';
import { type ObjectRecord, objectsOf } from '../../finding-store.ts';
import type { ScanRow } from '../../scan-store.ts';

const PAGE = 2000;

export async function* findingPages(
  db: Queryable,
  scan: ScanRow,
  page = PAGE,
): AsyncGenerator<readonly Finding[]> {
  for await (const objects of objectsOf(db, scan.id)) {
    for (const group of groupsOf(objects, page)) {
      // A group of several objects fits into a page; a single one may need many.
      for (let from = 0; from < group.findings; from += page) {
        const rows = await readPage(db, group.objects, from, page);
        yield toFindings(scan, group.objects, rows);
      }
    }
  }
}

interface Group {
  readonly objects: ObjectRecord[];
  /** At most: those that were counted may not all have been kept. */
  findings: number;
}

/** Neighbours with findings, together no more than a page; or one object. */
function groupsOf(objects: readonly ObjectRecord[], page: number): Group[] {
  const groups: Group[] = [];
  for (const object of objects) {
    if (object.tier === null) continue;
    const findings = Object.values(object.counts).reduce((sum, count) => sum + count, 0);
    const last = groups.at(-1);
    if (last && last.findings + findings <= page) {
      last.objects.push(object);
      last.findings += findings;
    } else groups.push({ objects: [object], findings });
  }
  return groups;
}

type FindingRow = Omit<Finding, 'scan' | 'source' | 'key' | 'tier'> & { object: number };

function readPage(
  db: Queryable,
  objects: readonly ObjectRecord[],
  from: number,
  page: number,
): Promise<FindingRow[]> {
  return many<FindingRow>(
    db,
    `select object_id as object, part, detector, category, field, start_byte as start, end_byte as "end", line,
            col as "column", confidence, masked, fingerprint, reasons
     from finding where object_id = any($1::bigint[]) and n >= $2::int and n < $2::int + $3::int
     order by object_id, n`,
    [objects.map((object) => object.id), from, page],
  );
}

function toFindings(scan: ScanRow, objects: readonly ObjectRecord[], rows: readonly FindingRow[]): Finding[] {
  const byObject = Map.groupBy(rows, (row) => row.object);
  return objects.flatMap((object) =>
    (byObject.get(object.id) ?? []).map(({ object: _, ...row }) => ({
      ...row,
      scan: String(scan.id),
      source: scan.source,
      key: object.key,
      tier: object.tier!,
    })),
  );
}
