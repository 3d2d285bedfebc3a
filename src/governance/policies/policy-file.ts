/** Parses which policies are enabled, and the custom policies of a rule set. */
import { didYouMean } from '../../base/nearest.ts';
import { type DetectorInfo, PACK_NAMES } from '../packs/packs.ts';
import type { RuleSet } from '../rule-set.ts';
import type { YamlFile } from '../yaml-file.ts';
import { BUILTIN_POLICY_NAMES } from './builtin.ts';
import type { Condition, Policy } from './policy.ts';
import { knownSelectors } from './select.ts';

export function parsePolicies(
  file: YamlFile,
  node: unknown,
  detectors: readonly DetectorInfo[],
): RuleSet['policies'] {
  const keys = file.map(node, 'policies', ['include', 'exclude', 'own']);
  const selectors = knownSelectors(detectors, PACK_NAMES);
  const own = keys.own === undefined ? [] : parseCustomPolicies(file, keys.own, selectors);
  const names = [...BUILTIN_POLICY_NAMES, ...own.map(({ id }) => id)];
  const list = (key: 'include' | 'exclude') =>
    keys[key] === undefined
      ? []
      : file.list(keys[key], `policies.${key}`, (each) => file.oneOf(each, 'a policy', names));
  if (keys.include !== undefined && list('include').length === 0)
    file.fail(keys.include, 'policies.include is empty', 'omit `include` for all of them');
  return { include: list('include'), exclude: list('exclude'), own };
}

const GROUPS = ['any_of', 'all_of', 'combinations'] as const;
const MINIMUM_KEYS = ['min_count', 'min_confidence'] as const;
const MAX_COUNT = 1_000_000_000;

function parseCustomPolicies(file: YamlFile, node: unknown, selectors: readonly string[]): Policy[] {
  const ids = new Set<string>(BUILTIN_POLICY_NAMES);
  return file.entries(node, 'policies.own').map(([key, value]) => {
    const id = file.string(key, 'the name of a policy').toLowerCase();
    if (!/^[a-z][a-z0-9_]*$/.test(id))
      file.fail(key, `'${id}' is no name of a policy`, 'letters, digits and _, such as payroll');
    if (ids.has(id)) file.fail(key, `a policy ${id} already exists`, 'choose another name');
    ids.add(id);
    return parsePolicy(file, id, value, selectors);
  });
}

function parsePolicy(file: YamlFile, id: string, node: unknown, selectors: readonly string[]): Policy {
  const keys = file.map(node, `the policy ${id}`, ['title', 'exclude_if_only', ...GROUPS, ...MINIMUM_KEYS]);
  const { title, exclude_if_only: only } = keys;
  return {
    id,
    title: title === undefined ? id : file.string(title, 'title'),
    when: parseGroup(file, node, `the policy ${id}`, keys, selectors),
    excludeIfOnly:
      only === undefined
        ? []
        : file.list(only, 'exclude_if_only', (each) => parseSelector(file, each, selectors)),
  };
}

type GroupKeys = Partial<Record<(typeof GROUPS)[number] | (typeof MINIMUM_KEYS)[number], unknown>>;

function parseGroup(
  file: YamlFile,
  node: unknown,
  what: string,
  keys: GroupKeys,
  selectors: readonly string[],
): Condition {
  const given = GROUPS.filter((group) => keys[group] !== undefined);
  const group = given[0];
  if (group === undefined || given.length > 1) {
    const message =
      group === undefined ? `${what} has no condition` : `${what} has both ${given.join(' and ')}`;
    return file.fail(node, message, 'specify one of any_of, all_of and combinations; they can be nested');
  }
  const parts = file.list(keys[group], group, (each) =>
    group === 'combinations'
      ? { allOf: nonEmpty(file, each, group, (part) => parseCondition(file, part, selectors)) }
      : parseCondition(file, each, selectors),
  );
  if (parts.length === 0) file.fail(keys[group], `${group} is empty`, 'name at least one detector');
  const least = parseMinimums(file, keys);
  return group === 'all_of' ? { allOf: parts, ...least } : { anyOf: parts, ...least };
}

function nonEmpty<T>(file: YamlFile, node: unknown, what: string, item: (node: unknown) => T): T[] {
  const items = file.list(node, `an item of ${what}`, item);
  return items.length > 0
    ? items
    : file.fail(node, `an item of ${what} is empty`, 'name at least one detector');
}

/** A name, a group, or a name with a minimum count. */
function parseCondition(file: YamlFile, node: unknown, selectors: readonly string[]): Condition {
  if (file.isText(node)) return { one: parseSelector(file, node, selectors) };
  const keys = file.map(node, 'a condition', ['detector', ...GROUPS, ...MINIMUM_KEYS]);
  if (keys.detector === undefined) return parseGroup(file, node, 'a condition', keys, selectors);
  const more = GROUPS.find((group) => keys[group] !== undefined);
  if (more !== undefined) file.fail(node, `a condition has both detector and ${more}`, 'make two of it');
  return { one: parseSelector(file, keys.detector, selectors), ...parseMinimums(file, keys) };
}

function parseMinimums(file: YamlFile, { min_count: count, min_confidence: confidence }: GroupKeys) {
  return {
    ...(count !== undefined && { minCount: Math.ceil(file.number(count, 'min_count', MAX_COUNT)) }),
    ...(confidence !== undefined && { minConfidence: file.number(confidence, 'min_confidence', 1) }),
  };
}

/** Detectors are case-insensitive; category:…, regulation:… and pack:… too. */
function parseSelector(file: YamlFile, node: unknown, selectors: readonly string[]): string {
  const text = file.string(node, 'a detector');
  const selector = selectors.find((name) => name.toLowerCase() === text.toLowerCase());
  if (selector !== undefined) return selector;
  const hint = didYouMean(text, selectors, 'write a detector, category:…, regulation:… or pack:…');
  return file.fail(node, `unknown detector '${text}'`, hint);
}
