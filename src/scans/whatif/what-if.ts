/**
 * What a scan would have reported under other rules, from stored results: no object is read. Where that is
 * not sufficient, the object is listed as one that must be read again, with the reasons.
 */
import type { Key } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Queryable } from '../../db/database.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import type { ObjectScore } from './known-object.ts';
import { ObjectScorer } from './object-scorer.ts';
import { type Reread, RereadRules } from './reread.ts';
import { Totals } from './totals.ts';
import { countUnknownClean, recordedObjects } from './what-if-store.ts';

/** An object whose result changes, or can't be determined. */
export interface ObjectChange {
  /** In stored form. */
  readonly key: Key;
  /** Null: no finding, or excluded. */
  readonly before: ObjectScore | null;
  readonly after: ObjectScore | null;
  /** Reasons to read it again; empty: the result is exact. */
  readonly reread: readonly string[];
}

export interface WhatIf {
  readonly before: Totals;
  readonly after: Totals;
  /** Objects whose counts, score, tier or policies differ. */
  readonly changed: number;
  readonly reread: Reread;
}

/** `each` is called for every object that changes or must be read again, in order of keys. */
export async function whatIf(
  db: Queryable,
  scan: ScanRow,
  rules: RuleSet,
  each: (change: ObjectChange) => void | Promise<void> = () => {},
  storage: Pick<KeyCodec, 'open'> = PLAIN_KEYS,
): Promise<WhatIf> {
  const [before, after] = [new Totals(), new Totals()];
  const scorers = { before: new ObjectScorer(scan, scan.ruleSet), after: new ObjectScorer(scan, rules) };
  const rereadRules = new RereadRules(scan, rules);
  let changed = 0;
  for await (const { key, ...stored } of recordedObjects(db, scan)) {
    const object = { ...stored, key: storage.open(key) };
    const was = scorers.before.score(object);
    const is = scorers.after.score(object);
    before.add(was);
    after.add(is);
    const reread = scorers.after.includes(object) ? rereadRules.reasonsFor(object, is) : [];
    const differs = !isSame(was, is);
    if (differs) changed++;
    if (differs || reread.length > 0) await each({ key, before: was, after: is, reread });
  }
  const unknown = rereadRules.needsCleanObjects ? await countUnknownClean(db, scan) : 0;
  return { before, after, changed, reread: rereadRules.result(unknown) };
}

/** Whether no object needs to be read. */
export function isComplete({ reread }: WhatIf): boolean {
  const { everything, unlisted, objects, unknown } = reread;
  return everything.length + unlisted.length + objects + unknown === 0;
}

function isSame(a: ObjectScore | null, b: ObjectScore | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
