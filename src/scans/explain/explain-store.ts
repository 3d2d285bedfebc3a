/** Reads one finding and its object; one function per statement. */
import { type Key, keyFromBytes } from '../../base/key.ts';
import { maybeOne, type Queryable } from '../../db/database.ts';
import type { PolicyMatches } from '../../governance/policies/evaluate.ts';
import type { Tier } from '../../governance/tier.ts';
import type { ConfidenceHistogram } from '../results/confidence-histogram.ts';
import type { FindingId } from '../results/finding-id.ts';
import type { FoundValue } from '../results/inspection.ts';
import { reasonText } from '../results/reason-code.ts';
import type { ObjectOutcome } from '../results/report.ts';

export interface StoredObject {
  readonly key: Key;
  readonly outcome: ObjectOutcome;
  readonly reason: string;
  readonly size: number;
  readonly score: number | null;
  readonly tier: Tier | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly policies: PolicyMatches;
  readonly confidenceHistogram: ConfidenceHistogram | null;
}

export async function readObject(
  db: Queryable,
  { scan, object }: Pick<FindingId, 'scan' | 'object'>,
): Promise<StoredObject | null> {
  const row = await maybeOne<Omit<StoredObject, 'key'> & { key: Buffer }>(
    db,
    `select key, outcome, reason, size::double precision, score, tier, counts, policies, confidence_histogram as "confidenceHistogram"
     from object_result where scan_id = $1 and id = $2`,
    [scan, object],
  );
  return row && { ...row, reason: reasonText(row.reason), key: keyFromBytes(row.key) };
}

export function readFinding(
  db: Queryable,
  { object, n }: Pick<FindingId, 'object' | 'n'>,
): Promise<FoundValue | null> {
  return maybeOne<FoundValue>(
    db,
    `select part, detector, category, field, start_byte as start, end_byte as "end", line, col as "column", confidence,
            masked, fingerprint, reasons, features
     from finding where object_id = $1 and n = $2`,
    [object, n],
  );
}
