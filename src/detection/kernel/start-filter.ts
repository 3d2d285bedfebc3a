/**
 * Where the automaton is run: an opening is something that can be told of many places at once, looser than every pattern that begins
 * there, never stricter. Patterns that begin alike share one, since each costs a little at every byte.
 */
import type { Detector, PrefilterRule } from '../detector.ts';
import { byteList } from '../pattern/byte-list.ts';
import { type Node, parsePattern } from '../pattern/parse.ts';
import { type PrefixSets, prefixSetsOf } from '../pattern/prefix-sets.ts';
import { type ApproxPattern, approximate, isRun, LONG_RUN, runOf, sequenceOf } from './approx-pattern.ts';
import { ALNUM, ANY, classesOf, DIGIT, LETTER, LOWER, UPPER } from './byte-classes.ts';
import type { OwnedPattern } from './combined-nfa.ts';
import { WITH_LABEL } from './detector-sets.ts';
import { PREFIX_LENGTH as BEGINNING_LENGTH, type LiteralPrefix } from './teddy.ts';

/** There is one where `loose` holds. */
export interface StartFilter {
  readonly approx: ApproxPattern;
  /** No letter or digit may stand right before. */
  readonly startBorder: boolean;
}

/** From where the automaton may be run: at the start of a word, inside one, at a value that something names, in a named column. */
export const START = { word: 0, inside: 1, named: 2, cells: 3 } as const;

export interface StartFilters {
  readonly classes: readonly StartFilter[];
  /** Beginnings of three bytes, which are openings of another kind: at the start of a word, known to the letter, and anywhere. */
  readonly wordPrefixes: readonly LiteralPrefix[];
  readonly anywherePrefixes: readonly LiteralPrefix[];
  /** By start, which patterns may begin there. */
  readonly patterns: readonly (readonly OwnedPattern[])[];
}

/** An opening looks at so many bytes, and at so many stretches of equal ones: the next would cost more than it saves. */
const MAX_BYTES = 5;
const MAX_STRETCHES = 3;
/** The first three bytes of a known beginning may be so many. */
const MAX_WORDS = 100;
const MAX_WAYS = 26;

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
  readonly #wanted: OwnedPattern[][] = [[], [], [], []];
  readonly #classes = new Map<string, StartFilter>();
  readonly #words: LiteralPrefix[] = [];
  readonly #anywhere: LiteralPrefix[] = [];

  add(detector: number, { pattern, labelled = false }: PatternPrefilter): void {
    const { root, source } = parsePattern(pattern);
    const prefixes = prefixSetsOf({ root, source });
    if (prefixes.some((prefix) => prefix.sets.length < (!labelled && isNumber(prefix) ? 1 : 2)))
      throw new RangeError(`the anchor ${pattern} may begin with less than two bytes`);
    if (labelled !== false) {
      const start = labelled === 'column' ? START.cells : START.named;
      this.#wanted[start]!.push({ owner: detector + WITH_LABEL, pattern: root });
    } else this.#addFree({ owner: detector, pattern: root }, prefixes);
  }

  #addFree(patterns: OwnedPattern, prefixes: readonly PrefixSets[]): void {
    const startBorder = prefixes.every(beginsWord);
    this.#wanted[START.word]!.push(patterns);
    if (!startBorder) this.#wanted[START.inside]!.push(patterns);
    if (prefixes.every(({ sets }) => isKnown(sets, startBorder)))
      (startBorder ? this.#words : this.#anywhere).push(...prefixes.map(({ sets }) => sets));
    else
      for (const one of filtersFor(patterns.pattern, prefixes)) this.#classes.set(JSON.stringify(one), one);
  }

  build(): StartFilters {
    const [wordPrefixes, anywherePrefixes] = [this.#words, this.#anywhere];
    return { classes: [...this.#classes.values()], wordPrefixes, anywherePrefixes, patterns: this.#wanted };
  }
}

/** Numbers, capitals and long runs share one each; other words have their own. */
function filtersFor(pattern: Node, prefixes: readonly PrefixSets[]): StartFilter[] {
  if (prefixes.every((prefix) => isRun(prefix, LONG_RUN))) return [RUN];
  if (prefixes.every(isNumber)) return [NUMBER];
  const [first, second] = [0, 1].map((n) =>
    prefixes.reduce((all, { sets }) => all | (sets[n] ? classesOf(sets[n]) : ANY), 0),
  ) as [number, number];
  const startBorder = prefixes.every(beginsWord);
  if (startBorder && ((first | second) & ~(DIGIT | UPPER)) === 0)
    return first & DIGIT ? [NUMBER, CAPITALS] : [CAPITALS];
  return [{ approx: approximate(pattern, MAX_BYTES, MAX_STRETCHES), startBorder }];
}

/** No letter or digit before it: at a byte that is none itself, `\b` says nothing. */
function beginsWord({ sets, startBorder }: PrefixSets): boolean {
  return startBorder && sets[0] !== undefined && (classesOf(sets[0]) & ~ALNUM) === 0;
}

function isNumber(prefix: PrefixSets): boolean {
  return beginsWord(prefix) && classesOf(prefix.sets[0]!) === DIGIT;
}

/**
 * There are few ways in which its first three bytes can be. At the start of a word the first is a letter; elsewhere they are not all small
 * letters, which words are full of.
 */
function isKnown(sets: LiteralPrefix, startBorder: boolean): boolean {
  if (sets.length < BEGINNING_LENGTH) return false;
  const classes = sets.slice(0, BEGINNING_LENGTH).map(classesOf);
  if (startBorder ? (classes[0]! & ~LETTER) !== 0 : classes.every((one) => one === LOWER)) return false;
  const ways = sets.slice(0, BEGINNING_LENGTH).reduce((all, set) => all * byteList(set).length, 1);
  return ways <= (startBorder ? MAX_WORDS : MAX_WAYS);
}
