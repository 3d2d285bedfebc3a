/** Differences of two rule sets that can't be evaluated from stored results, as short sentences. */
import type { CustomRule } from '../../detection/custom.ts';
import type { RuleSet, Selection } from '../../governance/rule-set.ts';
import type { Scope } from '../lifecycle/scope.ts';

/** Custom detectors that are in both and match something else now. A new one counts as disabled before. */
export function customChanges(old: RuleSet, now: RuleSet): string[] {
  const before = new Map(old.custom.map((rule) => [rule.id, whatItFinds(rule)]));
  return now.custom
    .filter((rule) => before.has(rule.id) && before.get(rule.id) !== whatItFinds(rule))
    .map(({ id }) => `${id} has another definition now`);
}

function whatItFinds({ pattern, checks, context, labelled, confidence }: CustomRule): string {
  return JSON.stringify([pattern, checks, context.words, context.avoid ?? [], labelled, confidence]);
}

type Fields = Pick<RuleSet, 'columns' | 'tables'>;

/** Values in excluded columns or tables were not counted, in any object. */
export function fieldChanges(old: Fields, now: Fields): string[] {
  return FIELDS.filter((what) => !isAll(old[what]) && !isSame(old[what], now[what])).map(
    (what) => `${what} are selected differently now, and values in excluded ones were not counted`,
  );
}

/** Levels are not stored by column, so the effect of a new exclusion is unknown. */
export function fewerFields(old: Fields, now: Fields): string[] {
  return FIELDS.filter((what) => isAll(old[what]) && !isAll(now[what])).map(
    (what) => `some ${what} are excluded now`,
  );
}

const FIELDS = ['columns', 'tables'] as const;

/** Objects that the scan did not list, and a scan under the new rules would. */
export function widened(old: RuleSet, now: RuleSet, scope: Scope): string[] {
  const byRules = scope.include === undefined || scope.include.length === 0;
  return [
    ...missing(old.paths.exclude, now.paths.exclude).map((glob) => `paths ${glob} are no longer excluded`),
    ...(byRules ? moreIncluded(old.paths.include, now.paths.include) : []),
    ...(scope.sample === undefined && (old.sample ?? 100) < (now.sample ?? 100)
      ? [`${now.sample ?? 100} % of the objects are scanned instead of ${old.sample}`]
      : []),
  ];
}

function moreIncluded(old: readonly string[], now: readonly string[]): string[] {
  if (old.length === 0) return [];
  if (now.length === 0) return ['all paths are included now'];
  return missing(now, old).map((glob) => `paths ${glob} are included now`);
}

function missing(from: readonly string[], among: readonly string[]): string[] {
  return from.filter((item) => !among.includes(item));
}

function isAll({ include, exclude }: Selection): boolean {
  return include.length === 0 && exclude.length === 0;
}

function isSame(a: Selection, b: Selection): boolean {
  const plain = ({ include, exclude }: Selection) =>
    JSON.stringify([[...include].sort(), [...exclude].sort()]);
  return plain(a) === plain(b);
}
