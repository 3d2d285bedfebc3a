/**
 * What a scan would have said under other rules, from what it wrote down: no object is read. Where that is not enough,
 * the object is named as one that must be read again, and why.
 */
import type { Key } from '../../base/key.ts';
import { type KeyStorage, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Queryable } from '../../db/database.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import type { ScanRow } from '../scan-store.ts';
import type { Judgement } from './known-object.ts';
import { ObjectJudge } from './object-judge.ts';
import { type Reread, RereadRules } from './reread.ts';
import { Totals } from './totals.ts';
import { knownObjects, unknownClean } from './what-if-store.ts';

/** An object that would be told otherwise, or of which that can't be said. */
export interface ObjectChange {
  /** As it is stored. */
  readonly key: Key;
  /** Null: no finding, or left out. */
  readonly before: Judgement | null;
  readonly after: Judgement | null;
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
  storage: Pick<KeyStorage, 'open'> = PLAIN_KEYS,
): Promise<WhatIf> {
  const [before, after] = [new Totals(), new Totals()];
  const judges = { before: new ObjectJudge(scan, scan.ruleSet), after: new ObjectJudge(scan, rules) };
  const rereadRules = new RereadRules(scan, rules);
  let changed = 0;
  for await (const { key, ...stored } of knownObjects(db, scan)) {
    const object = { ...stored, key: storage.open(key) };
    const was = judges.before.judge(object);
    const is = judges.after.judge(object);
    before.add(was);
    after.add(is);
    const reread = judges.after.holds(object) ? rereadRules.of(object, is) : [];
    const differs = !isSame(was, is);
    if (differs) changed++;
    if (differs || reread.length > 0) await each({ key, before: was, after: is, reread });
  }
  const unknown = rereadRules.asksOfClean ? await unknownClean(db, scan) : 0;
  return { before, after, changed, reread: rereadRules.result(unknown) };
}

/** Nothing must be read to know more. */
export function isComplete({ reread }: WhatIf): boolean {
  const { everything, unlisted, objects, unknown } = reread;
  return everything.length + unlisted.length + objects + unknown === 0;
}

function isSame(a: Judgement | null, b: Judgement | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
