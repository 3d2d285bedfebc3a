/** Writes the results of a window: many rows per statement, always inside a checkpoint's transaction. */
import { hash } from 'node:crypto';
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';
import { sanitizeJson, sanitizeText } from '../../db/sanitize.ts';
import type { FoundValue } from '../results/inspection.ts';
import type { LedgerLine, ObjectOutcome } from '../results/report.ts';
import type { NotableObject } from './checkpoint-batch.ts';

export async function addToLedger(
  tx: Tx,
  scan: number,
  lease: number,
  lines: readonly LedgerLine[],
): Promise<void> {
  await tx.query(
    `insert into ledger (scan_id, tenant, lease_id, outcome, reason, objects, bytes)
     select scan.id, scan.tenant, $2, l.outcome, l.reason, sum(l.objects), sum(l.bytes)
     from scan, unnest($3::text[], $4::text[], $5::bigint[], $6::numeric[]) as l(outcome, reason, objects, bytes)
     where scan.id = $1
     group by scan.id, l.outcome, l.reason
     on conflict (scan_id, lease_id, outcome, reason)
     do update set objects = ledger.objects + excluded.objects, bytes = ledger.bytes + excluded.bytes`,
    [
      scan,
      lease,
      lines.map((line) => line.outcome),
      lines.map((line) => sanitizeText(line.reason ?? '')),
      lines.map((line) => line.objects),
      lines.map((line) => line.bytes),
    ],
  );
}

export async function addToShard(tx: Tx, lease: number, listed: number, bytesRead: number): Promise<void> {
  await tx.query('update shard set listed = listed + $2, bytes_read = bytes_read + $3 where lease_id = $1', [
    lease,
    listed,
    bytesRead,
  ]);
}

/** Inserts the rows of the objects. */
export async function insertObjects(
  tx: Tx,
  scan: number,
  objects: readonly NotableObject[],
): Promise<Map<Key, number>> {
  const { rows } = await tx.query<{ id: number; key: Buffer }>(
    `insert into object_result (scan_id, tenant, key, path, folder, outcome, reason, size, modified, score, points, tier, counts,
                         policies, suppressed, suppressed_by, confidence_histogram, overlap_counts, columns, note)
     select scan.id, scan.tenant, o.key, o.path, o.folder, o.outcome, o.reason, o.size, to_timestamp(o.modified / 1000),
            o.score, o.points, o.tier, o.counts::jsonb, o.policies::jsonb, o.suppressed::jsonb, o.suppressed_by::jsonb,
            o.confidence_histogram::jsonb, o.overlap_counts::jsonb, o.columns::jsonb, o.note
     from scan, unnest($2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
                       $8::double precision[], $9::smallint[], $10::real[], $11::text[], $12::text[], $13::text[],
                       $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[])
       as o(key, path, folder, outcome, reason, size, modified, score, points, tier, counts, policies, suppressed, suppressed_by,
            confidence_histogram, overlap_counts, columns, note)
     where scan.id = $1
     returning id, key`,
    [
      scan,
      objects.map((o) => keyBytes(o.key)),
      objects.map((o) => o.path),
      objects.map((o) => o.folder),
      objects.map((o) => o.inspection.outcome),
      objects.map((o) => sanitizeText(o.inspection.reason)),
      objects.map((o) => o.size),
      objects.map((o) => o.modified),
      objects.map((o) => o.inspection.score),
      objects.map((o) => o.inspection.points),
      objects.map((o) => o.inspection.tier),
      objects.map((o) => sanitizeJson(o.inspection.counts)),
      objects.map((o) => sanitizeJson(o.inspection.policies)),
      objects.map((o) => sanitizeJson(o.inspection.suppressed?.counts ?? {})),
      objects.map((o) => sanitizeJson(o.inspection.suppressed?.by ?? {})),
      objects.map((o) => sanitizeJson(o.inspection.confidenceHistogram ?? {})),
      objects.map((o) => sanitizeJson(o.inspection.overlapCounts ?? {})),
      objects.map(({ inspection: { columns } }) => (columns ? sanitizeJson(columns) : null)),
      objects.map(({ inspection: { note } }) => (note === undefined ? null : sanitizeText(note))),
    ],
  );
  return new Map(rows.map((row) => [keyFromBytes(row.key), row.id]));
}

/** Removes the objects with their findings. Returns the coverage counts that they contributed. */
export async function removeObjects(tx: Tx, scan: number, keys: readonly Key[]): Promise<LedgerLine[]> {
  const { rows } = await tx.query<LedgerLine>(
    `with removed as (
       delete from object_result where scan_id = $1 and sha256(key) = any($2::bytea[])
       returning outcome, reason, size)
     select outcome, nullif(reason, '') as reason, count(*) as objects, sum(size) as bytes
     from removed group by outcome, reason`,
    [scan, keys.map((key) => hash('sha256', keyBytes(key), 'buffer'))],
  );
  return rows;
}

const FINDINGS_AT_ONCE = 5000;

export async function insertFindings(
  tx: Tx,
  scan: number,
  objects: readonly NotableObject[],
  ids: ReadonlyMap<Key, number>,
): Promise<void> {
  const rows = objects.flatMap((o) =>
    o.inspection.findings.map((finding, n) => ({ object: ids.get(o.key)!, n, ...finding })),
  );
  for (let i = 0; i < rows.length; i += FINDINGS_AT_ONCE)
    await insertRows(tx, scan, rows.slice(i, i + FINDINGS_AT_ONCE));
}

type FindingRow = FoundValue & { readonly object: number; readonly n: number };

async function insertRows(tx: Tx, scan: number, rows: readonly FindingRow[]): Promise<void> {
  await tx.query(
    `insert into finding (object_id, n, tenant, part, detector, category, field, start_byte, end_byte, line, col,
                          confidence, masked, fingerprint, reasons, features)
     select f.object_id, f.n, scan.tenant, f.part, f.detector, f.category, f.field, f.start_byte, f.end_byte,
            f.line, f.col, f.confidence, f.masked, f.fingerprint, string_to_array(f.reasons, '|'), f.features::jsonb
     from scan, unnest($2::bigint[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
                       $9::bigint[], $10::bigint[], $11::bigint[], $12::real[], $13::text[], $14::text[], $15::text[],
                       $16::text[])
       as f(object_id, n, part, detector, category, field, start_byte, end_byte, line, col, confidence, masked, fingerprint, reasons,
            features)
     where scan.id = $1`,
    [
      scan,
      rows.map((f) => f.object),
      rows.map((f) => f.n),
      rows.map((f) => f.part && sanitizeText(f.part)),
      rows.map((f) => f.detector),
      rows.map((f) => f.category),
      rows.map((f) => f.field && sanitizeText(f.field)),
      rows.map((f) => f.start),
      rows.map((f) => f.end),
      rows.map((f) => f.line),
      rows.map((f) => f.column),
      rows.map((f) => f.confidence),
      rows.map((f) => sanitizeText(f.masked)),
      rows.map((f) => f.fingerprint),
      rows.map((f) => sanitizeText(f.reasons.join('|'))),
      rows.map((f) => f.features && sanitizeJson(f.features)),
    ],
  );
}

export interface CopiedObject {
  outcome: ObjectOutcome;
  reason: string;
  size: number;
}

/**
 * Copies the base scan's rows of unchanged objects, findings included. Returns their outcomes for the
 * coverage.
 */
export async function copyForward(
  tx: Tx,
  scan: number,
  base: number,
  keys: readonly Key[],
): Promise<CopiedObject[]> {
  const params = [scan, base, keys.map((key) => hash('sha256', keyBytes(key), 'buffer'))];
  const { rows } = await tx.query<CopiedObject>(
    `insert into object_result (scan_id, tenant, key, path, folder, outcome, reason, size, modified, score, points, tier, counts,
                         policies, suppressed, suppressed_by, confidence_histogram, overlap_counts, columns, note)
     select $1, tenant, key, path, folder, case outcome when 'scanned' then 'unchanged' else outcome end, reason, size,
            modified, score, points, tier, counts, policies, suppressed, suppressed_by, confidence_histogram, overlap_counts, columns, note
     from object_result where scan_id = $2 and sha256(key) = any($3::bytea[])
     returning outcome, reason, size::double precision`,
    params,
  );
  await tx.query(
    `insert into finding (object_id, n, tenant, part, detector, category, field, start_byte, end_byte, line, col,
                          confidence, masked, fingerprint, reasons, features)
     select new.id, f.n, f.tenant, f.part, f.detector, f.category, f.field, f.start_byte, f.end_byte, f.line, f.col,
            f.confidence, f.masked, f.fingerprint, f.reasons, f.features
     from object_result old
     join object_result new on new.scan_id = $1 and sha256(new.key) = sha256(old.key)
     join finding f on f.object_id = old.id
     where old.scan_id = $2 and sha256(old.key) = any($3::bytea[])`,
    params,
  );
  return rows;
}
