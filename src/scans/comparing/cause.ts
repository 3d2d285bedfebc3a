/** Why a finding is new or gone. */
import type { Key } from '../../base/key.ts';
import type { ObjectOutcome } from '../results/report.ts';
import type { Suppressor } from '../suppressions/suppressor.ts';
import type { Cause } from './difference.ts';
import type { ChangedRow, SideObject } from './row-store.ts';

export interface CauseDeps {
  /** Rules, detectors and extractors are those of the other scan. */
  readonly sameRules: boolean;
  /** What the first side accepted and the second not, and the other way round. */
  readonly onlyBefore: Suppressor;
  readonly onlyAfter: Suppressor;
  /** Whether the inventories of both sides know the object, and as the same. Null: they don't tell. */
  readonly unchanged: (key: Key) => Promise<boolean | null>;
  /** A key as it is, not as it is stored. */
  readonly open: (stored: Key) => Key;
  /** When the first scan began, in seconds since 1970. */
  readonly begun: number;
}

/** Rows come in order of keys: inventories are read once, forward. */
export async function causeOf(row: ChangedRow, tools: CauseDeps): Promise<Cause | null> {
  if (row.change === 'moved') return null;
  const isNew = row.change === 'new';
  const other = isNew ? row.objectBefore : row.objectAfter;
  const key = tools.open(row.key);
  if (isAccepted(key, row, isNew ? tools.onlyBefore : tools.onlyAfter)) return 'suppressions';
  if (other?.outcome && isUnread(other.outcome)) return 'not read';
  if (tools.sameRules) return 'data';
  // What is sealed is not in the order of the inventories.
  const known = key === row.key ? await tools.unchanged(key) : null;
  return (known ?? looksUnchanged(row, tools.begun)) ? 'rules' : 'data';
}

function isAccepted(key: Key, { detector, fingerprint }: ChangedRow, suppressor: Suppressor): boolean {
  suppressor.begin(key);
  return suppressor.accepts(detector, () => fingerprint ?? '');
}

function isUnread(outcome: ObjectOutcome): boolean {
  return outcome === 'partial' || outcome === 'skipped' || outcome === 'dead';
}

/** Without inventories: by what the rows say, or by its age where only the second scan has one. */
function looksUnchanged({ objectBefore, objectAfter }: ChangedRow, begun: number): boolean {
  if (objectBefore && objectAfter) return isSame(objectBefore, objectAfter);
  return objectAfter?.modified != null && objectAfter.modified < begun;
}

function isSame(one: SideObject, other: SideObject): boolean {
  return one.size === other.size && one.modified === other.modified;
}
