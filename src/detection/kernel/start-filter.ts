/**
 * Start filters decide where the DFA runs: conditions that are evaluated for many positions at once, and are looser than every pattern
 * that begins there, never stricter. Patterns with similar beginnings share one, because each adds cost to every byte.
 */
import type { Detector, PrefilterRule } from '../detector.ts';
import { byteList } from '../pattern/byte-list.ts';
import { type Node, parsePattern } from '../pattern/parse.ts';
import { type PrefixSets, prefixSetsOf } from '../pattern/prefix-sets.ts';
import { type ApproxPattern, approximate, isRun, LONG_RUN, runOf, sequenceOf } from './approx-pattern.ts';
import { ALNUM, ANY, classesOf, DIGIT, LETTER, LOWER, UPPER } from './byte-classes.ts';
import type { OwnedPattern } from './combined-nfa.ts';
import { WITH_LABEL } from './detector-sets.ts';
import { type LiteralPrefix, PREFIX_LENGTH } from './teddy.ts';

/** Matches where `approx` does. */
export interface StartFilter {
  readonly approx: ApproxPattern;
  /** Requires that no letter or digit directly precedes. */
  readonly startBorder: boolean;
}

/** Start conditions of the DFA: at the start of a word, inside one, at a labelled value, in a labelled column. */
export const START = { word: 0, inside: 1, labelled: 2, column: 3 } as const;

export interface StartFilters {
  readonly classes: readonly StartFilter[];
  /** Three-byte literal prefixes, which are filtered separately: at the start of a word by the word pass, anywhere by Teddy. */
  readonly wordPrefixes: readonly LiteralPrefix[];
  readonly anywherePrefixes: readonly LiteralPrefix[];
  /** By start condition: the patterns that may begin there. */
  readonly patterns: readonly (readonly OwnedPattern[])[];
}

/** Limits of a filter, in bytes and in runs of equal classes; more would cost more than it saves. */
const MAX_BYTES = 5;
const MAX_RUNS = 3;
/** Maximum number of expansions of a prefix's first three bytes: at the start of a word, and anywhere. */
const MAX_WORD_EXPANSIONS = 100;
const MAX_EXPANSIONS = 26;

const NUMBER: StartFilter = { approx: { kind: 'class', classes: DIGIT }, startBorder: true };
const CAPITALS: StartFilter = { approx: sequenceOf([UPPER, UPPER | DIGIT]), startBorder: true };
const RUN: StartFilter = { approx: runOf(ALNUM, LONG_RUN), startBorder: true };

export type PatternPrefilter = Extract<PrefilterRule, { pattern: string }>;

export function startFiltersOf(detectors: readonly Detector[]): StartFilters {
  const plan = new StartFilterBuilder();
  detectors.forEach(({ prefilters }, index) => {
    for (const prefilter of prefilters) if ('pattern' in prefilter) plan.add(index, prefilter);
  });
  return plan.build();
}

class StartFilterBuilder {
  readonly #patterns: OwnedPattern[][] = [[], [], [], []];
  readonly #classes = new Map<string, StartFilter>();
  readonly #words: LiteralPrefix[] = [];
  readonly #anywhere: LiteralPrefix[] = [];

  add(detector: number, { pattern, labelled = false }: PatternPrefilter): void {
    const { root, source } = parsePattern(pattern);
    const prefixes = prefixSetsOf({ root, source });
    if (prefixes.some((prefix) => prefix.sets.length < (!labelled && isNumber(prefix) ? 1 : 2)))
      throw new RangeError(`the prefilter ${pattern} may begin with less than two bytes`);
    if (labelled !== false) {
      const start = labelled === 'column' ? START.column : START.labelled;
      this.#patterns[start]!.push({ owner: detector + WITH_LABEL, pattern: root });
    } else this.#addUnlabelled({ owner: detector, pattern: root }, prefixes);
  }

  #addUnlabelled(pattern: OwnedPattern, prefixes: readonly PrefixSets[]): void {
    const startBorder = prefixes.every(beginsWord);
    this.#patterns[START.word]!.push(pattern);
    if (!startBorder) this.#patterns[START.inside]!.push(pattern);
    if (prefixes.every(({ sets }) => isLiteralPrefix(sets, startBorder)))
      (startBorder ? this.#words : this.#anywhere).push(...prefixes.map(({ sets }) => sets));
    else for (const one of filtersFor(pattern.pattern, prefixes)) this.#classes.set(JSON.stringify(one), one);
  }

  build(): StartFilters {
    const [wordPrefixes, anywherePrefixes] = [this.#words, this.#anywhere];
    return { classes: [...this.#classes.values()], wordPrefixes, anywherePrefixes, patterns: this.#patterns };
  }
}

/** Numbers, capitals and long runs share one filter each; other patterns have their own. */
function filtersFor(pattern: Node, prefixes: readonly PrefixSets[]): StartFilter[] {
  if (prefixes.every((prefix) => isRun(prefix, LONG_RUN))) return [RUN];
  if (prefixes.every(isNumber)) return [NUMBER];
  const [first, second] = [0, 1].map((n) =>
    prefixes.reduce((all, { sets }) => all | (sets[n] ? classesOf(sets[n]) : ANY), 0),
  ) as [number, number];
  const startBorder = prefixes.every(beginsWord);
  if (startBorder && ((first | second) & ~(DIGIT | UPPER)) === 0)
    return first & DIGIT ? [NUMBER, CAPITALS] : [CAPITALS];
  return [{ approx: approximate(pattern, MAX_BYTES, MAX_RUNS), startBorder }];
}

/**
 * Requires a word boundary before it, and begins with a letter or digit: before any other byte `\b` does not constrain the byte in front.
 */
function beginsWord({ sets, startBorder }: PrefixSets): boolean {
  return startBorder && sets[0] !== undefined && (classesOf(sets[0]) & ~ALNUM) === 0;
}

function isNumber(prefix: PrefixSets): boolean {
  return beginsWord(prefix) && classesOf(prefix.sets[0]!) === DIGIT;
}

/**
 * Whether the first three bytes have few expansions. At the start of a word the first must be a letter; elsewhere not all may be
 * lower-case letters, which are too common.
 */
function isLiteralPrefix(sets: LiteralPrefix, startBorder: boolean): boolean {
  if (sets.length < PREFIX_LENGTH) return false;
  const classes = sets.slice(0, PREFIX_LENGTH).map(classesOf);
  if (startBorder ? (classes[0]! & ~LETTER) !== 0 : classes.every((one) => one === LOWER)) return false;
  const expansions = sets.slice(0, PREFIX_LENGTH).reduce((all, set) => all * byteList(set).length, 1);
  return expansions <= (startBorder ? MAX_WORD_EXPANSIONS : MAX_EXPANSIONS);
}
