/** SQL statements of segmented objects, one function each. */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import { many, maybeOne, one, type Queryable, type Tx } from '../../db/database.ts';
import { sanitizeJson, sanitizeText } from '../../db/sanitize.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { fenceParams } from '../../engine/leases/lease-store.ts';
import type { TypeCount } from '../../governance/score.ts';
import type { SourceObject } from '../../sources/source.ts';
import type { ColumnTallies } from '../columns/column-tally.ts';
import type { ConfidenceHistogram, Overlaps } from '../results/confidence-histogram.ts';
import type { FoundValue } from '../results/inspection.ts';
import type { SegmentedObject } from './segment.ts';
import type { SegmentResult } from './segment-result.ts';

export async function insertSegmented(
  tx: Tx,
  scan: number,
  object: SourceObject,
  storage: KeyCodec = PLAIN_KEYS,
): Promise<SegmentedObject> {
  const { id } = await one<{ id: number }>(
    tx,
    `insert into segmented_object (scan_id, tenant, key, size, modified, version_tag, inventory_key, segments_left)
     select id, tenant, $2, $3, $4, $5, inventory_key, 0 from scan where id = $1
     returning id`,
    [scan, keyBytes(storage.seal(object.key)), object.size, object.modified, object.identity],
  );
  return { id, object };
}

export async function setSegmentsLeft(tx: Tx, parted: number, parts: number): Promise<void> {
  await tx.query('update segmented_object set segments_left = $2 where id = $1', [parted, parts]);
}

export async function readSegmented(
  db: Queryable,
  id: number,
  storage: KeyCodec = PLAIN_KEYS,
): Promise<SegmentedObject | null> {
  const row = await maybeOne<Omit<SourceObject, 'key'> & { key: Buffer }>(
    db,
    'select key, size::double precision, modified, version_tag as identity from segmented_object where id = $1',
    [id],
  );
  return row && { id, object: { ...row, key: storage.open(keyFromBytes(row.key)) } };
}

/**
 * Counts one segment as ended. Returns how many are left: 0 is returned once, to the last; others wait for
 * the row lock. Also returns whether all segments were read under the current rules and versions of the
 * scan.
 */
export async function countEndedSegment(
  tx: Tx,
  parted: number,
): Promise<{ left: number; sameRules: boolean }> {
  return one(
    tx,
    `update segmented_object set segments_left = segments_left - 1
     from scan
     where segmented_object.id = $1 and scan.id = segmented_object.scan_id
     returning segments_left as left,
               segmented_object.inventory_key = scan.inventory_key
               and not (scan.blocks_have_keys and exists (
                 select 1 from segment_result
                 where object_id = segmented_object.id and segment_result.inventory_key is distinct from scan.inventory_key)) as "sameRules"`,
    [parted],
  );
}

/**
 * Moves the cursor of a segment to its end. Returns its previous position; null when it was at the end or
 * the lease is lost.
 */
export async function skipToEnd(tx: Tx, held: HeldLease): Promise<Key | null> {
  const row = await maybeOne<{ cursor: Buffer }>(
    tx,
    `with old as (
       select id, cursor from range_lease as lease
       where id = $1 and fencing_token = $2 and claim_id = $3 and state = 'held' and cursor < up_to
       for update)
     update range_lease as lease set cursor = up_to, reserved_up_to = up_to, checkpoint_seq = checkpoint_seq + 1, claims_since_progress = 0, errors_since_progress = 0
     from old where lease.id = old.id
     returning old.cursor`,
    fenceParams(held),
  );
  return row && keyFromBytes(row.cursor);
}

export async function removeSegmented(tx: Tx, parted: number): Promise<void> {
  await tx.query('delete from segmented_object where id = $1', [parted]);
}

export async function insertSegmentResult(
  tx: Tx,
  parted: number,
  lease: number,
  result: SegmentResult,
  inventoryKey: string | null,
): Promise<void> {
  await tx.query(
    `insert into segment_result (object_id, from_byte, to_byte, tenant, lease_id, outcome, reason, evidence, bytes_read,
                              newlines, line_start, types, findings, suppressed, confidence_histogram, overlap_counts, columns, inventory_key)
     select id, $2, $3, tenant, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 from segmented_object where id = $1`,
    [
      parted,
      result.from,
      result.to,
      lease,
      result.outcome,
      sanitizeText(result.reason),
      result.evidence ? JSON.stringify(result.evidence) : null,
      result.bytesRead,
      result.newlines,
      result.lineStart,
      JSON.stringify(result.types),
      JSON.stringify(result.findings),
      result.suppressed ? JSON.stringify(result.suppressed) : null,
      result.confidenceHistogram ? JSON.stringify(result.confidenceHistogram) : null,
      result.overlapCounts ? JSON.stringify(result.overlapCounts) : null,
      result.columns ? sanitizeJson(result.columns) : null,
      inventoryKey,
    ],
  );
}

/** In order of offsets, without the findings. */
export async function readSegmentResults(
  db: Queryable,
  parted: number,
): Promise<Omit<SegmentResult, 'findings'>[]> {
  const rows = await many<ResultRow>(
    db,
    `select from_byte as from, to_byte::double precision as to, outcome, reason, evidence, bytes_read as "bytesRead", newlines,
            line_start as "lineStart", types, suppressed, confidence_histogram as "confidenceHistogram", overlap_counts as "overlapCounts", columns
     from segment_result where object_id = $1 order by from_byte`,
    [parted],
  );
  return rows.map(({ confidenceHistogram, overlapCounts, columns, ...row }) => ({
    ...row,
    ...(confidenceHistogram && { confidenceHistogram }),
    ...(overlapCounts && { overlapCounts }),
    ...(columns && { columns }),
  }));
}

type StagedResult = Omit<SegmentResult, 'findings' | 'confidenceHistogram' | 'overlapCounts' | 'columns'>;
type ResultRow = StagedResult & {
  readonly confidenceHistogram: ConfidenceHistogram | null;
  readonly overlapCounts: Overlaps | null;
  readonly columns: ColumnTallies | null;
};

/** The findings of those rows, by start offset. */
export async function readStagedFindings(
  db: Queryable,
  parted: number,
  from: readonly number[],
): Promise<Map<number, FoundValue[]>> {
  const rows = await many<{ from: number; findings: FoundValue[] }>(
    db,
    `select from_byte as from, findings from segment_result where object_id = $1 and from_byte = any($2::bigint[])`,
    [parted, from],
  );
  return new Map(rows.map((row) => [row.from, row.findings]));
}

/** The counts of a segment before its holder changed. */
export async function readTypesOfLease(db: Queryable, lease: number): Promise<(readonly TypeCount[])[]> {
  const rows = await many<{ types: TypeCount[] }>(
    db,
    'select types from segment_result where lease_id = $1 order by from_byte',
    [lease],
  );
  return rows.map((row) => row.types);
}
