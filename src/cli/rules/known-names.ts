import { catalogue } from '../../detection/catalogue.ts';
import { policiesOf } from '../../governance/policies/policies-of.ts';
import type { RuleSet } from '../../governance/rule-set.ts';

/** Types and policies that can be named under a rule set, including its custom ones. */
export interface KnownNames {
  readonly types: readonly string[];
  readonly policies: readonly string[];
}

export function knownNames(rules: RuleSet): KnownNames {
  return {
    types: [...catalogue, ...rules.custom].map(({ id }) => id),
    policies: policiesOf(rules).map(({ id }) => id),
  };
}
