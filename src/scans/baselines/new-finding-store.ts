/** The findings of a scan that are not in its baseline. Runs inside the transaction of the comparison. */
import { hash } from 'node:crypto';
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import { many, type Tx } from '../../db/database.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import type { Finding } from '../results/finding.ts';
import { formatFindingId } from '../results/finding-id.ts';

const ROWS_AT_ONCE = 1000;

type Row = Omit<Finding, 'scan' | 'source' | 'handle' | 'key'> & {
  readonly at: number;
  readonly object: number;
  readonly n: number;
  readonly key: Buffer;
};

/** In order of keys. */
export async function* newFindings(tx: Tx, scan: ScanRow): AsyncGenerator<Finding> {
  let rows: Row[] = [];
  do {
    rows = await readNewFindings(tx, rows.at(-1)?.at ?? 0);
    for (const { at: _, object, n, key, ...row } of rows) {
      const handle = formatFindingId({ scan: scan.id, object, n });
      yield { ...row, scan: String(scan.id), source: scan.source, handle, key: keyFromBytes(key) };
    }
  } while (rows.length === ROWS_AT_ONCE);
}

function readNewFindings(tx: Tx, after: number): Promise<Row[]> {
  return many<Row>(
    tx,
    `select r.at, f.object_id as object, f.n, o.key, o.tier, f.part, f.detector, f.category, f.field, f.start_byte as start,
            f.end_byte as "end", f.line, f.col as "column", f.confidence, f.masked, f.fingerprint, f.reasons
     from compared_row r join compared_finding c on c.id = r.after
     join finding f on f.object_id = c.object and f.n = c.n
     join object_result o on o.id = f.object_id
     where r.change = 'new' and r.at > $1
     order by r.at limit ${ROWS_AT_ONCE}`,
    [after],
  );
}

/** Sizes of a few objects. */
export async function sizesOf(
  tx: Tx,
  scan: number,
  keys: readonly Key[],
): Promise<Map<Key, { readonly size: number; readonly modified: Date | null }>> {
  const rows = await many<{ key: Buffer; size: number; modified: Date | null }>(
    tx,
    'select key, size::double precision, modified from object_result where scan_id = $1 and sha256(key) = any($2::bytea[])',
    [scan, keys.map((key) => hash('sha256', keyBytes(key), 'buffer'))],
  );
  return new Map(rows.map(({ key, ...row }) => [keyFromBytes(key), row]));
}
