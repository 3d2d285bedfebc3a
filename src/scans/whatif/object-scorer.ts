import { type RuleSet, thresholdOf } from '../../governance/rule-set.ts';
import { createStoreScope, type StoreScope } from '../../sources/store/store-scope.ts';
import { type ScoringRules, scoreTypes, scoringRulesFor } from '../detect/score-types.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import { scopeOf } from '../lifecycle/scope.ts';
import { countTypesAbove } from '../results/confidence-histogram.ts';
import type { ObjectScore, RecordedObject } from './known-object.ts';
import { enabledDetectors } from './rules-of-scan.ts';

/** Scores objects by their stored levels as an inspection would by their values. */
export class ObjectScorer {
  readonly #rules: RuleSet;
  readonly #on: ReadonlySet<string>;
  readonly #measures: ScoringRules;
  readonly #scope: StoreScope;

  constructor(scan: Pick<ScanRow, 'scope'>, rules: RuleSet) {
    this.#rules = rules;
    this.#on = enabledDetectors(rules);
    this.#measures = scoringRulesFor(rules);
    this.#scope = createStoreScope(scopeOf({ scope: scan.scope, ruleSet: rules }));
  }

  /** Whether the rules include the object. */
  includes(object: RecordedObject): boolean {
    return this.#scope.includes(object);
  }

  /** Returns null if it has no findings, or is excluded. */
  score(object: RecordedObject): ObjectScore | null {
    if (!this.includes(object)) return null;
    if (object.confidenceHistogram === null) return object.recorded;
    const { points: _, ...risk } = scoreTypes(
      countTypesAbove(object.confidenceHistogram, this.#thresholdOf),
      this.#measures,
    );
    return risk.tier === null ? null : risk;
  }

  readonly #thresholdOf = (detector: string): number | null =>
    this.#on.has(detector) ? thresholdOf(this.#rules, detector) : null;
}
