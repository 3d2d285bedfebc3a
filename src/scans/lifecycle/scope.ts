import { createHash } from 'node:crypto';
import type { RuleSet } from '../../governance/rule-set.ts';
import type { ScopeOptions } from '../../sources/scope-options.ts';

export type Scope = ScopeOptions;

export const WHOLE_SCOPE: Scope = {};

/** The scope of a scan: the requested one, within the paths of its rules. */
export function scopeOf(scan: { readonly scope: Scope; readonly ruleSet: RuleSet }): Scope {
  return withRules(scan.scope, scan.ruleSet);
}

/**
 * The command line narrows the rule set's paths: its `include` and `sample` replace theirs, excludes add
 * up.
 */
function withRules(scope: Scope, rules: RuleSet): Scope {
  const include = scope.include?.length ? scope.include : rules.paths.include;
  const exclude = [...(scope.exclude ?? []), ...rules.paths.exclude];
  const sample = scope.sample ?? rules.sample;
  return {
    ...scope,
    ...(include.length > 0 && { include }),
    ...(exclude.length > 0 && { exclude }),
    ...(sample !== null && { sample }),
  };
}

export function scopeHash(scope: Scope): string {
  const { include = [], exclude = [], ignoreFile = true, maxSize, modifiedSince, sample } = scope;
  const canonical = [[...include].sort(), [...exclude].sort(), ignoreFile, maxSize, modifiedSince, sample];
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex').slice(0, 16);
}
