/** The findings of a scan, streamed, because there may be millions. */
import { createHash } from 'node:crypto';
import { type Key, keyFromBytes } from '../../base/key.ts';
import { many, type Queryable } from '../../db/database.ts';
import type { PolicyMatches } from '../../governance/policies/evaluate.ts';
import type { Tier } from '../../governance/tier.ts';
import type { ClassifiedColumn } from '../columns/column-tally.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import type { Finding } from './finding.ts';
import { formatFindingId } from './finding-id.ts';
import { reasonText, toReasonCode } from './reason-code.ts';
import type { ObjectOutcome } from './report.ts';

/** An object with a row. */
export interface ObjectRecord {
  readonly id: number;
  readonly key: Key;
  readonly outcome: ObjectOutcome;
  readonly reason: string;
  readonly reasonCode: string;
  readonly size: number;
  readonly modified: Date | null;
  readonly score: number | null;
  readonly tier: Tier | null;
  readonly counts: Readonly<Record<string, number>>;
  /** The matching policies, with the detectors that contribute. */
  readonly policies: PolicyMatches;
  /** The classified columns of its tables; null: it has none, or they are ambiguous. */
  readonly columns?: readonly ClassifiedColumn[] | null;
  /** A remark, though it was read. */
  readonly note?: string | null;
}

const OBJECTS_AT_ONCE = 500;
const FINDINGS_AT_ONCE = 2000;

/** In key order. */
export async function* objectsOf(db: Queryable, scan: number): AsyncGenerator<ObjectRecord[]> {
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const rows = await many<Omit<ObjectRecord, 'key'> & { key: Buffer }>(
      db,
      `select id, key, outcome, reason, size::double precision, modified, score, tier, counts, policies, columns, note from object_result
       where scan_id = $1 and substring(key from 1 for 1024) >= substring($2::bytea from 1 for 1024) and key > $2
       order by substring(key from 1 for 1024), key
       limit ${OBJECTS_AT_ONCE}`,
      [scan, after],
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.key;
    yield rows.map((row) => ({
      ...row,
      reason: reasonText(row.reason),
      reasonCode: toReasonCode(row.reason),
      key: keyFromBytes(row.key),
    }));
  }
}

/**
 * In order of key and position: the findings of all objects, or of those for which `wanted` returns true.
 * One object may have very many, so at most `page` are in memory, however dense the data.
 */
export async function* findingsOf(
  db: Queryable,
  scan: ScanRow,
  filter: (object: ObjectRecord) => boolean = () => true,
  page = FINDINGS_AT_ONCE,
): AsyncGenerator<{ object: ObjectRecord; finding: Finding }> {
  const of = { scan: String(scan.id), source: scan.source };
  for await (const objects of objectsOf(db, scan.id)) {
    const chosen = objects.filter((object) => object.tier !== null && filter(object));
    for (const group of groupsOf(chosen, page)) {
      for await (const rows of findingPages(db, group, page)) {
        const byObject = Map.groupBy(rows, (row) => row.object);
        for (const object of group) {
          for (const { object: _, n, ...row } of byObject.get(object.id) ?? []) {
            const handle = formatFindingId({ scan: scan.id, object: object.id, n });
            yield { object, finding: { ...row, ...of, handle, key: object.key, tier: object.tier! } };
          }
        }
      }
    }
  }
}

/**
 * Groups neighbours whose findings fit into a page together, so that a page keeps the order of keys; or one
 * object.
 */
function groupsOf(objects: readonly ObjectRecord[], page: number): ObjectRecord[][] {
  const groups: ObjectRecord[][] = [];
  let room = 0;
  for (const object of objects) {
    const findings = Object.values(object.counts).reduce((sum, count) => sum + count, 0);
    if (findings <= room) groups.at(-1)!.push(object);
    else groups.push([object]);
    room = findings <= room ? room - findings : page - findings;
  }
  return groups;
}

async function* findingPages(
  db: Queryable,
  objects: readonly ObjectRecord[],
  page: number,
): AsyncGenerator<FindingRow[]> {
  const ids = objects.map(({ id }) => id);
  let rows: FindingRow[] = [];
  do {
    rows = await readFindings(db, ids, rows.at(-1) ?? null, page);
    if (rows.length > 0) yield rows;
  } while (rows.length === page);
}

type FindingRow = Omit<Finding, 'scan' | 'source' | 'handle' | 'key' | 'tier'> & {
  object: number;
  n: number;
};

function readFindings(
  db: Queryable,
  objects: readonly number[],
  after: FindingRow | null,
  max: number,
): Promise<FindingRow[]> {
  return many<FindingRow>(
    db,
    `select object_id as object, n, part, detector, category, field, start_byte as start, end_byte as "end", line,
            col as "column", confidence, masked, fingerprint, reasons, features
     from finding where object_id = any($1::bigint[]) and (object_id, n) > ($2::bigint, $3::integer)
     order by object_id, n limit $4`,
    [objects, after?.object ?? 0, after?.n ?? -1, max],
  );
}

/** SHA-256 over the sorted findings: equal for equal results, however the scan was executed. */
export async function findingsDigest(db: Queryable, scan: ScanRow): Promise<string> {
  const digest = createHash('sha256');
  for await (const { finding } of findingsOf(db, scan)) {
    const { scan: _, source: __, handle: ___, ...same } = finding;
    digest.update(`${JSON.stringify(same)}\n`);
  }
  return digest.digest('hex');
}
