import { type RuleSet, thresholdOf } from '../../governance/rule-set.ts';
import { createStoreScope, type StoreScope } from '../../sources/store/store-scope.ts';
import { type Measures, measuresOf, scored } from '../detect/scored.ts';
import { typesOf } from '../levels.ts';
import type { ScanRow } from '../scan-store.ts';
import { scopeOf } from '../scope.ts';
import type { Judgement, KnownObject } from './known-object.ts';
import { detectorsOn } from './rules-of-scan.ts';

/** Judges objects by their levels as an inspection would have by their values. */
export class ObjectJudge {
  readonly #rules: RuleSet;
  readonly #on: ReadonlySet<string>;
  readonly #measures: Measures;
  readonly #scope: StoreScope;

  constructor(scan: Pick<ScanRow, 'scope'>, rules: RuleSet) {
    this.#rules = rules;
    this.#on = detectorsOn(rules);
    this.#measures = measuresOf(rules);
    this.#scope = createStoreScope(scopeOf({ scope: scan.scope, ruleSet: rules }));
  }

  /** Whether it would be looked at. */
  holds(object: KnownObject): boolean {
    return this.#scope.holds(object);
  }

  /** Null: nothing is found in it, or it would not be looked at. */
  judge(object: KnownObject): Judgement | null {
    if (!this.holds(object)) return null;
    if (object.levels === null) return object.told;
    const { points: _, ...risk } = scored(typesOf(object.levels, this.#thresholdOf), this.#measures);
    return risk.tier === null ? null : risk;
  }

  readonly #thresholdOf = (detector: string): number | null =>
    this.#on.has(detector) ? thresholdOf(this.#rules, detector) : null;
}
