import { createHash } from 'node:crypto';
import type { RuleSet } from '../governance/rule-set.ts';

/** What of a source is looked at; what is not said is not limited. */
export interface Scope {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Whether .seineignore files count; they do unless this is false. */
  readonly ignoreFile?: boolean;
  readonly maxSize?: number;
  /** Milliseconds since 1970. */
  readonly modifiedSince?: number;
  /** Percent. */
  readonly sample?: number;
}

export const WHOLE: Scope = {};

/** The command line narrows the rule set's paths: its `include` replaces theirs, excludes add up. */
export function withRules(scope: Scope, rules: RuleSet): Scope {
  const include = scope.include?.length ? scope.include : rules.paths.include;
  const exclude = [...(scope.exclude ?? []), ...rules.paths.exclude];
  return { ...scope, ...(include.length > 0 && { include }), ...(exclude.length > 0 && { exclude }) };
}

export function scopeHash(scope: Scope): string {
  const { include = [], exclude = [], ignoreFile = true, maxSize, modifiedSince, sample } = scope;
  const canonical = [[...include].sort(), [...exclude].sort(), ignoreFile, maxSize, modifiedSince, sample];
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex').slice(0, 16);
}
