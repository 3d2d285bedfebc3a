import { createHash } from 'node:crypto';
import type { RuleSet } from '../rule-set.ts';
import { BUILTIN_POLICIES } from './builtin.ts';
import type { Policy } from './policy.ts';

/** The enabled policies under these rules: built-in ones, then custom ones. */
export function policiesOf({ policies }: RuleSet): Policy[] {
  const { include, exclude, own } = policies;
  const shipped = BUILTIN_POLICIES.filter(({ id }) => include.length === 0 || include.includes(id));
  return [...shipped, ...own].filter(({ id }) => !exclude.includes(id));
}

/** Equal hashes: the same findings match the same policies. */
export function policyHash(rules: RuleSet): string {
  const rest = policiesOf(rules).map(({ id, when, excludeIfOnly }) => [id, when, excludeIfOnly]);
  return createHash('sha256').update(JSON.stringify(rest)).digest('hex');
}
