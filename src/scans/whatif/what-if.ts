/**
 * What a scan would have said under other rules, from what it wrote down: no object is read. Where that is not enough,
 * the object is named as one that must be read again, and why.
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

/** An object that would be told otherwise, or of which that can't be said. */
export interface ObjectChange {
  /** As it is stored. */
  readonly key: Key;
  /** Null: no finding, or left out. */
  readonly before: ObjectScore | null;
  readonly after: ObjectScore | null;
  /** Why it must be read again; none: what is said is exact. */
  readonly reread: readonly string[];
}

export interface WhatIf {
  readonly before: Totals;
  readonly after: Totals;
  /** Objects whose counts, score, tier or policies differ. */
  readonly changed: number;
  readonly reread: Reread;
}

/** `each` is told of every object that changes or must be read again, in order of keys. */
export async function whatIf(
  db: Queryable,
  scan: ScanRow,
  rules: RuleSet,
  each: (change: ObjectChange) => void | Promise<void> = () => {},
  storage: Pick<KeyCodec, 'open'> = PLAIN_KEYS,
): Promise<WhatIf> {
  const [before, after] = [new Totals(), new Totals()];
  const judges = { before: new ObjectScorer(scan, scan.ruleSet), after: new ObjectScorer(scan, rules) };
  const rereadRules = new RereadRules(scan, rules);
  let changed = 0;
  for await (const { key, ...stored } of recordedObjects(db, scan)) {
    const object = { ...stored, key: storage.open(key) };
    const was = judges.before.score(object);
    const is = judges.after.score(object);
    before.add(was);
    after.add(is);
    const reread = judges.after.includes(object) ? rereadRules.reasonsFor(object, is) : [];
    const differs = !isSame(was, is);
    if (differs) changed++;
    if (differs || reread.length > 0) await each({ key, before: was, after: is, reread });
  }
  const unknown = rereadRules.needsCleanObjects ? await countUnknownClean(db, scan) : 0;
  return { before, after, changed, reread: rereadRules.result(unknown) };
}

/** Nothing must be read to know more. */
export function isComplete({ reread }: WhatIf): boolean {
  const { everything, unlisted, objects, unknown } = reread;
  return everything.length + unlisted.length + objects + unknown === 0;
}

function isSame(a: ObjectScore | null, b: ObjectScore | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
