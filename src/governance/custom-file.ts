/** Parses the custom detectors of a rule set. */
import { SeineError } from '../base/errors.ts';
import { didYouMean } from '../base/nearest.ts';
import { type CustomRule, MIN_PATTERN_BYTES, minLengthOf } from '../detection/custom.ts';
import type { ContextRule } from '../detection/detector.ts';
import { CHECK_NAMES, checkNamed } from '../detection/named-checks.ts';
import { CATEGORIES, REGULATIONS } from './categories.ts';
import { type ExampleNodes, parseExamples } from './example-file.ts';
import type { DetectorInfo } from './packs/packs.ts';
import { MAX_WEIGHT } from './weights.ts';
import type { YamlFile } from './yaml-file.ts';

const KEYS = [
  'id',
  'title',
  'category',
  'regulations',
  'risk',
  'pattern',
  'checks',
  'context',
  'avoid',
  'labelled',
  'confidence',
  'examples',
] as const;
type Keys = Partial<Record<(typeof KEYS)[number], unknown>>;

const DEFAULT_RISK = 5;
const DEFAULT_CONFIDENCE = 0.75;

/** A rule and the positions of its examples. */
export interface ParsedRule {
  readonly rule: CustomRule;
  readonly nodes: ExampleNodes & { readonly pattern: unknown };
}

export function parseCustomRules(
  file: YamlFile,
  node: unknown,
  catalogue: readonly DetectorInfo[],
): ParsedRule[] {
  const taken = new Set(catalogue.map(({ id }) => id));
  return file.list(node, 'custom', (each) => {
    const written = parseRule(file, each);
    const { id } = written.rule;
    if (taken.has(id)) file.fail(each, `a detector ${id} already exists`, 'choose another id');
    taken.add(id);
    return written;
  });
}

function parseRule(file: YamlFile, node: unknown): ParsedRule {
  const keys: Keys = file.map(node, 'a custom detector', KEYS);
  for (const key of ['id', 'category', 'pattern', 'examples'] as const) {
    if (keys[key] === undefined) file.fail(node, `a custom detector needs ${NEEDS[key]}`, `add ${key}: …`);
  }
  const id = parseId(file, keys.id);
  const context = parseContext(file, keys);
  const labelled = keys.labelled !== undefined && file.boolean(keys.labelled, 'labelled');
  if (labelled && context.words.length === 0)
    file.fail(keys.labelled, 'labelled needs words that can be its label', 'add context: [word, …]');
  const examples = parseExamples(file, keys.examples);
  return {
    nodes: { pattern: keys.pattern, ...examples.nodes },
    rule: {
      id,
      title: keys.title === undefined ? id : file.string(keys.title, 'title'),
      category: file.oneOf(keys.category, 'category', CATEGORIES),
      regulations:
        keys.regulations === undefined
          ? []
          : file.list(keys.regulations, 'regulations', (each, what) => file.oneOf(each, what, REGULATIONS)),
      risk: keys.risk === undefined ? DEFAULT_RISK : file.number(keys.risk, 'risk', MAX_WEIGHT),
      pattern: parsePattern(file, keys.pattern),
      checks:
        keys.checks === undefined ? [] : file.list(keys.checks, 'checks', (each) => parseCheck(file, each)),
      context,
      labelled,
      confidence:
        keys.confidence === undefined ? DEFAULT_CONFIDENCE : file.number(keys.confidence, 'confidence', 1),
      examples: examples.examples,
    },
  };
}

const NEEDS = {
  id: 'an id',
  category: 'a category',
  pattern: 'a pattern',
  examples: 'examples, so that it is known to work',
} as const;

function parseId(file: YamlFile, node: unknown): string {
  const id = file.string(node, 'id').toUpperCase();
  if (/^[A-Z][A-Z0-9_]{1,63}$/.test(id)) return id;
  return file.fail(node, `'${id}' is no id`, 'letters, digits and _, such as BADGE_NUMBER');
}

function parsePattern(file: YamlFile, node: unknown): string {
  const pattern = file.string(node, 'pattern');
  try {
    if (minLengthOf(pattern) >= MIN_PATTERN_BYTES) return pattern;
  } catch (error) {
    if (!(error instanceof SeineError)) throw error;
    return file.fail(node, error.message.replace(/\.$/, ''), error.hint ?? 'write it otherwise');
  }
  return file.fail(
    node,
    `the pattern ${pattern} also matches less than ${MIN_PATTERN_BYTES} characters`,
    'a value that short would match everywhere: require more, with + or {2,…}',
  );
}

function parseCheck(file: YamlFile, node: unknown): string {
  const name = file.string(node, 'a check').replaceAll(' ', '').toLowerCase();
  if (checkNamed(name) !== null) return name;
  const hint = didYouMean(name, CHECK_NAMES, `the checks are ${CHECK_NAMES.join(', ')}`);
  return file.fail(node, `unknown check '${name}'`, hint);
}

/** The prefilter identifies context words by their first letters, and supports only these. */
const WORD = /^[a-z][\p{L}\p{N}.]+(?: [\p{L}\p{N}.]+)*$/u;

/** Words are compared in lower case, with blanks for "_" and "-". */
function parseContext(file: YamlFile, { context, avoid }: Keys): ContextRule {
  const word = (node: unknown, what: string) => {
    const text = file
      .string(node, what)
      .toLowerCase()
      .replace(/[_\- ]+/g, ' ')
      .trim();
    return WORD.test(text)
      ? text
      : file.fail(
          node,
          `'${text}' is no word`,
          'letters and digits with blanks between, beginning with a to z',
        );
  };
  const words = context === undefined ? [] : file.list(context, 'context', word);
  return avoid === undefined ? { words } : { words, avoid: file.list(avoid, 'avoid', word) };
}
