/**
 * Reads a rule set from YAML. A rule file that is quietly misread would leave data unfound, so nothing is ignored:
 * every key, type and name is checked, and an error says the line, the column and what to write instead.
 */
import { didYouMean } from './nearest.ts';
import { DEFAULT_RULES, isDetectorOn, type RuleSet, type Selection } from './rule-set.ts';
import { MAX_WEIGHT } from './weights.ts';
import { YamlFile } from './yaml-file.ts';

export function parseRuleSet(text: string, fileName: string, knownDetectors: readonly string[]): RuleSet {
  const file = new YamlFile(text, fileName);
  const { name, minConfidence, detectors, weights, paths } = file.map(file.root, 'a rule set', KEYS);
  const rules: RuleSet = {
    name: name === undefined ? DEFAULT_RULES.name : file.string(name, 'name'),
    minConfidence:
      minConfidence === undefined
        ? DEFAULT_RULES.minConfidence
        : file.number(minConfidence, 'minConfidence', 1),
    detectors: readSelection(file, detectors, 'detectors', (node) =>
      readDetector(file, node, knownDetectors),
    ),
    weights: weights === undefined ? {} : readWeights(file, weights, knownDetectors),
    paths: readSelection(file, paths, 'paths', (node, what) => file.string(node, what)),
  };
  if (!knownDetectors.some((id) => isDetectorOn(rules, id))) {
    file.fail(
      detectors,
      'no detector is left on',
      'exclude fewer, or leave `detectors` out to have them all',
    );
  }
  return rules;
}

const KEYS = ['name', 'minConfidence', 'detectors', 'weights', 'paths'] as const;

function readSelection(
  file: YamlFile,
  node: unknown,
  name: string,
  item: (node: unknown, what: string) => string,
): Selection {
  if (node === undefined) return { include: [], exclude: [] };
  const { include, exclude } = file.map(node, name, ['include', 'exclude']);
  const included = include === undefined ? [] : file.list(include, `${name}.include`, item);
  if (include !== undefined && included.length === 0) {
    // Nobody writes an empty list to get everything, which is what an absent one means.
    file.fail(include, `${name}.include is empty`, 'leave `include` out to have everything');
  }
  return {
    include: included,
    exclude: exclude === undefined ? [] : file.list(exclude, `${name}.exclude`, item),
  };
}

function readDetector(file: YamlFile, node: unknown, known: readonly string[]): string {
  const name = file.string(node, 'a detector');
  const id = name.toUpperCase();
  if (known.includes(id)) return id;
  const hint = didYouMean(name, known, `the detectors are ${known.join(', ')}`);
  return file.fail(node, `there is no detector '${name}'`, hint);
}

function readWeights(file: YamlFile, node: unknown, known: readonly string[]): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const [key, value] of file.entries(node, 'weights')) {
    const id = readDetector(file, key, known);
    if (id in weights) file.fail(key, `${id} has two weights`, 'keep one of them');
    weights[id] = file.number(value, `the weight of ${id}`, MAX_WEIGHT);
  }
  return weights;
}
