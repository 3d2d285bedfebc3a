/**
 * A suppression records that a finding is known and accepted: its owner, the reason, and the expiry.
 *
 * It matches one value of one detector, by fingerprint, in all objects or only in some paths or in one
 * object; or every value of a detector in some paths or in one object. Its match never changes: a scan
 * stores the ids of those active at its start, and uses them until its end. Suppressed findings are in no
 * count, score or tier; they are counted separately, and reports contain their number.
 */
import { createHash } from 'node:crypto';
import { type Key, keyBytes } from '../../base/key.ts';

/** What a suppression matches. */
export interface SuppressionMatch {
  readonly detector: string;
  /** Null: any value; then there is a path or an object. */
  readonly fingerprint: string | null;
  /** A glob as in --include. */
  readonly path: string | null;
  readonly source: string | null;
  readonly object: Key | null;
}

/** The form that threads need, without suppressions of other sources. */
export interface ActiveSuppression extends Omit<SuppressionMatch, 'source'> {
  readonly id: number;
}

export interface NewSuppression extends SuppressionMatch {
  readonly reason: string;
  readonly owner: string;
  readonly expiresAt: Date | null;
}

export interface Suppression extends NewSuppression {
  readonly id: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly removedAt: Date | null;
  readonly removedBy: string | null;
  /** By the database's clock. */
  readonly expired: boolean;
  readonly hits: number;
  readonly lastHitAt: Date | null;
  readonly lastHitScan: number | null;
}

/** Suppressed findings of an object. */
export interface SuppressedCounts {
  /** By detector. */
  readonly counts: Readonly<Record<string, number>>;
  /** By the id of the suppression. */
  readonly by: Readonly<Record<string, number>>;
}

/** Equal for suppressions with the same match. */
export function suppressionMatchHash({
  detector,
  fingerprint,
  path,
  source,
  object,
}: SuppressionMatch): string {
  const bytes = object === null ? null : keyBytes(object).toString('hex');
  const parts = JSON.stringify([detector, fingerprint, path, source, bytes]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}

export function addSuppressed(
  left: SuppressedCounts | undefined,
  right: SuppressedCounts | undefined,
): SuppressedCounts | undefined {
  if (!left || !right) return left ?? right;
  return { counts: sums(left.counts, right.counts), by: sums(left.by, right.by) };
}

function sums(
  left: Readonly<Record<string, number>>,
  right: Readonly<Record<string, number>>,
): Record<string, number> {
  const all = { ...left };
  for (const [name, count] of Object.entries(right)) all[name] = (all[name] ?? 0) + count;
  return all;
}
