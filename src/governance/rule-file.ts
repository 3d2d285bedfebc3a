/**
 * Parses a rule set from YAML. A rule file that is silently misread would leave data undetected, so nothing
 * is ignored: every key, type and name is checked, and an error contains the line, the column and the
 * accepted values.
 */

import { didYouMean } from '../base/nearest.ts';
import { parseCustomRules } from './custom-file.ts';
import { type DetectorInfo, PACK_NAMES } from './packs/packs.ts';
import { withPacks } from './packs/with-packs.ts';
import { parsePolicies } from './policies/policy-file.ts';
import { parseReadingRules } from './reading-file.ts';
import {
  DEFAULT_RULES,
  isDetectorOn,
  type RuleSet,
  SELECT_ALL,
  type Selection,
  thresholdOf,
} from './rule-set.ts';
import { runExamples } from './run-examples.ts';
import { MAX_WEIGHT } from './weights.ts';
import { YamlFile } from './yaml-file.ts';

const KEYS = [
  'version',
  'name',
  'minConfidence',
  'thresholds',
  'packs',
  'detectors',
  'custom',
  'weights',
  'paths',
  'columns',
  'tables',
  'sample',
  'reading',
  'policies',
] as const;
const VERSION = 1;

/** `catalogue`: the built-in detectors; the file may add others. */
export function parseRuleSet(text: string, fileName: string, catalogue: readonly DetectorInfo[]): RuleSet {
  const file = new YamlFile(text, fileName);
  const keys = file.map(file.root, 'a rule set', KEYS);
  if (keys.version !== undefined) checkVersion(file, keys.version);
  const custom = keys.custom === undefined ? [] : parseCustomRules(file, keys.custom, catalogue);
  const all = [...catalogue, ...custom.map(({ rule }) => rule)];
  const names = all.map(({ id }) => id);
  const written: RuleSet = {
    ...DEFAULT_RULES,
    ...parseSimpleKeys(file, keys),
    thresholds: parseNumbers(file, keys.thresholds, 'thresholds', 'threshold', names, 1),
    weights: parseNumbers(file, keys.weights, 'weights', 'weight', names, MAX_WEIGHT),
    detectors: parseSelection(file, keys.detectors, 'detectors', (node) => parseDetector(file, node, names)),
    packs: keys.packs === undefined ? [] : parsePacks(file, keys.packs),
    custom: custom.map(({ rule }) => rule),
    policies: keys.policies === undefined ? DEFAULT_RULES.policies : parsePolicies(file, keys.policies, all),
  };
  const rules = withPacks(written, written.packs, catalogue);
  if (!names.some((id) => isDetectorOn(rules, id))) {
    file.fail(keys.detectors, 'no detector is left on', 'exclude fewer, or omit `detectors` for all of them');
  }
  for (const each of custom) runExamples(file, each, thresholdOf(rules, each.rule.id));
  return rules;
}

type Keys = Partial<Record<(typeof KEYS)[number], unknown>>;

/** Parses the keys that refer to no detectors. */
function parseSimpleKeys(
  file: YamlFile,
  { name, minConfidence, sample, reading, ...keys }: Keys,
): Partial<RuleSet> {
  const text = (node: unknown, what: string) => file.string(node, what);
  return {
    ...(name !== undefined && { name: file.string(name, 'name') }),
    ...(minConfidence !== undefined && { minConfidence: file.number(minConfidence, 'minConfidence', 1) }),
    ...(sample !== undefined && { sample: parseSample(file, sample) }),
    ...(reading !== undefined && { reading: parseReadingRules(file, reading) }),
    paths: parseSelection(file, keys.paths, 'paths', text),
    columns: parseSelection(file, keys.columns, 'columns', text),
    tables: parseSelection(file, keys.tables, 'tables', text),
  };
}

function checkVersion(file: YamlFile, node: unknown): void {
  const version = file.number(node, 'version', Number.MAX_SAFE_INTEGER);
  if (version !== VERSION)
    file.fail(
      node,
      `version is ${version}`,
      `this Seine reads version ${VERSION}; a newer one may know more`,
    );
}

function parseSample(file: YamlFile, node: unknown): number {
  const percent = file.number(node, 'sample', 100);
  return percent > 0 ? percent : file.fail(node, 'sample is 0', 'nothing would be scanned: omit it');
}

function parsePacks(file: YamlFile, node: unknown): string[] {
  const packs = file.list(node, 'packs', (each) => file.oneOf(each, 'a pack', PACK_NAMES));
  return packs.length > 0 ? packs : file.fail(node, 'packs is empty', 'omit `packs` for all detectors');
}

function parseSelection(
  file: YamlFile,
  node: unknown,
  name: string,
  item: (node: unknown, what: string) => string,
): Selection {
  if (node === undefined) return SELECT_ALL;
  const { include, exclude } = file.map(node, name, ['include', 'exclude']);
  const included = include === undefined ? [] : file.list(include, `${name}.include`, item);
  if (include !== undefined && included.length === 0) {
    // An empty list is an error: it does not mean everything, as an absent one does.
    file.fail(include, `${name}.include is empty`, 'omit `include` for all');
  }
  return {
    include: included,
    exclude: exclude === undefined ? [] : file.list(exclude, `${name}.exclude`, item),
  };
}

function parseDetector(file: YamlFile, node: unknown, ids: readonly string[]): string {
  const name = file.string(node, 'a detector');
  const id = name.toUpperCase();
  if (ids.includes(id)) return id;
  const hint = didYouMean(name, ids, 'seine detectors lists them all');
  return file.fail(node, `unknown detector '${name}'`, hint);
}

/** A number for each of some detectors. */
function parseNumbers(
  file: YamlFile,
  node: unknown,
  what: string,
  one: string,
  ids: readonly string[],
  max: number,
): Record<string, number> {
  const numbers: Record<string, number> = {};
  if (node === undefined) return numbers;
  for (const [key, value] of file.entries(node, what)) {
    const id = parseDetector(file, key, ids);
    if (id in numbers) file.fail(key, `${id} has two ${what}`, 'keep one of them');
    numbers[id] = file.number(value, `the ${one} of ${id}`, max);
  }
  return numbers;
}
