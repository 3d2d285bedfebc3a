/** Determines why a finding is new or gone. */
import type { Key } from '../../base/key.ts';
import type { ObjectOutcome } from '../results/report.ts';
import type { Suppressor } from '../suppressions/suppressor.ts';
import type { Cause } from './difference.ts';
import type { ChangedRow, SideObject } from './row-store.ts';

export interface CauseContext {
  /** Rules, detectors and extractors are the same in both scans. */
  readonly sameRules: boolean;
  /** What the first side suppressed and the second did not, and vice versa. */
  readonly onlyBefore: Suppressor;
  readonly onlyAfter: Suppressor;
  /** Whether the object is unchanged by the inventories of both sides; null if they don't contain it. */
  readonly unchanged: (key: Key) => Promise<boolean | null>;
  /** Decrypts a stored key. */
  readonly open: (stored: Key) => Key;
  /** Start of the first scan, in seconds since 1970. */
  readonly startedAt: number;
}

/** Rows come in order of keys, so inventories are read once, forward. */
export async function causeOf(row: ChangedRow, context: CauseContext): Promise<Cause | null> {
  if (row.change === 'moved') return null;
  const isNew = row.change === 'new';
  const other = isNew ? row.objectBefore : row.objectAfter;
  const key = context.open(row.key);
  if (isAccepted(key, row, isNew ? context.onlyBefore : context.onlyAfter)) return 'suppressions';
  if (other?.outcome && isUnread(other.outcome)) return 'not read';
  if (context.sameRules) return 'data';
  // Sealed keys are not in the order of the inventories.
  const unchanged = key === row.key ? await context.unchanged(key) : null;
  return (unchanged ?? looksUnchanged(row, context.startedAt)) ? 'rules' : 'data';
}

function isAccepted(key: Key, { detector, fingerprint }: ChangedRow, suppressor: Suppressor): boolean {
  suppressor.begin(key);
  return suppressor.accepts(detector, () => fingerprint ?? '');
}

function isUnread(outcome: ObjectOutcome): boolean {
  return outcome === 'partial' || outcome === 'skipped' || outcome === 'dead';
}

/** Without inventories: compares the rows, or the modification time where only the second scan has a row. */
function looksUnchanged({ objectBefore, objectAfter }: ChangedRow, startedAt: number): boolean {
  if (objectBefore && objectAfter) return isSame(objectBefore, objectAfter);
  return objectAfter?.modified != null && objectAfter.modified < startedAt;
}

function isSame(one: SideObject, other: SideObject): boolean {
  return one.size === other.size && one.modified === other.modified;
}
