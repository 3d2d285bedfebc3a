/** The scalar prefilter: tries every pattern at every position. Used on machines without SIMD, and as the reference in tests. */
import { NEWLINE } from '../bytes.ts';
import type { Node } from '../pattern/parse.ts';
import { ALNUM, CLASS_OF, LETTER, SEPARATORS } from './byte-classes.ts';
import type { OwnedPattern } from './combined-nfa.ts';
import { type DetectorSet, DetectorSets, EMPTY_SET } from './detector-sets.ts';
import { ASSIGNMENT } from './emit-candidates.ts';
import { WIDE_BLANKS } from './find-blanks.ts';
import type { Prefilter } from './prefilter.ts';
import { type PrefilterPlan, suffixCell } from './prefilter-plan.ts';
import { START } from './start-filter.ts';

const MAX_CANDIDATES = 4096;
const MAX_REPEATS = 64;

export function scalarPrefilter(plan: PrefilterPlan): Prefilter {
  return new ScalarPrefilter(plan);
}

class ScalarPrefilter implements Prefilter {
  readonly window: null = null;
  readonly base = 0;
  count = 0;
  candidates = new Int32Array(2 * MAX_CANDIDATES);
  lastLineEnd = -1;
  readonly #plan: PrefilterPlan;
  readonly #patterns: readonly OwnedPattern[];
  readonly #detectorSets = new DetectorSets();

  constructor(plan: PrefilterPlan) {
    this.#plan = plan;
    this.#patterns = [START.word, START.labelled].flatMap((start) => plan.startFilters.patterns[start]!);
  }

  findCandidates(bytes: Buffer, from: number, to: number): number {
    this.count = 0;
    for (let at = from; at < to; at++) {
      if (this.count + 2 > MAX_CANDIDATES) return at;
      const matching = this.#patterns.filter(({ pattern }) => matches(pattern, bytes, at, () => true));
      const set = this.#detectorSets.numberOf(matching.map(({ owner }) => owner));
      if (set !== EMPTY_SET) this.#emit(at, ~set);
      if (SEPARATORS.includes(String.fromCharCode(bytes[at]!)) && this.#isNamed(bytes, at))
        this.#emit(at, ASSIGNMENT);
    }
    return to;
  }

  setColumnDetectors(): void {}

  detectorSetAt(id: number): DetectorSet {
    return this.#detectorSets.at(~id);
  }

  lines(bytes: Buffer, from: number, to: number): number {
    let count = 0;
    this.lastLineEnd = -1;
    for (let i = from; i < to; i++) {
      if (bytes[i] !== NEWLINE) continue;
      count++;
      this.lastLineEnd = i;
    }
    return count;
  }

  blanks(bytes: Buffer, from: number, to: number): number {
    return scalarBlanks(bytes, from, to);
  }

  #isNamed(bytes: Buffer, separator: number): boolean {
    const last = lastLetter(bytes, separator);
    return this.#plan.suffixes.has(suffixCell(bytes[last - 2]!, bytes[last - 1]!, bytes[last]!));
  }

  #emit(at: number, id: number): void {
    this.candidates[2 * this.count] = at;
    this.candidates[2 * this.count++ + 1] = id;
  }
}

/** The last letter of the name before a separator, past blanks, quotes and brackets: `"api_key" :`, `env['TOKEN'] =`. */
export function lastLetter(bytes: Buffer, separator: number): number {
  let i = separator - 1;
  while (i > separator - 5 && ((CLASS_OF[bytes[i]!] ?? 0) & LETTER) === 0) i--;
  return i;
}

/**
 * Whether the pattern matches at `at` and the continuation `then` accepts the rest. Recursion is safe because prefilter patterns are
 * short.
 */
function matches(node: Node, bytes: Buffer, at: number, then: (at: number) => boolean): boolean {
  switch (node.kind) {
    case 'byte':
      return node.set[bytes[at]!] === 1 && then(at + 1);
    case 'border':
      return isBorder(bytes, at) && then(at);
    case 'choice':
      return node.options.some((option) => matches(option, bytes, at, then));
    case 'sequence':
      return matchesSequence(node.items, 0, bytes, at, then);
    case 'repeat':
      return matchesRepeat(node, 0, bytes, at, then);
  }
}

function matchesSequence(
  items: readonly Node[],
  n: number,
  bytes: Buffer,
  at: number,
  then: (at: number) => boolean,
): boolean {
  return n === items.length
    ? then(at)
    : matches(items[n]!, bytes, at, (next) => matchesSequence(items, n + 1, bytes, next, then));
}

/** Matches the minimum count only; the verifier checks the rest. */
function matchesRepeat(
  node: Extract<Node, { kind: 'repeat' }>,
  n: number,
  bytes: Buffer,
  at: number,
  then: (at: number) => boolean,
): boolean {
  const more = () =>
    matches(node.item, bytes, at, (next) => next > at && matchesRepeat(node, n + 1, bytes, next, then));
  if (n < node.min) return more();
  return then(at) || (n < node.max && n < MAX_REPEATS && more());
}

/** A word boundary: a letter or digit on one side at most. */
function isBorder(bytes: Buffer, at: number): boolean {
  return !(isWord(bytes[at - 1]!) && isWord(bytes[at]!));
}

function isWord(byte: number): boolean {
  return (CLASS_OF[byte]! & ALNUM) !== 0;
}

/** See `Prefilter.blanks`. */
export function scalarBlanks(bytes: Buffer, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    if (WIDE_BLANKS.some(([lead, next]) => bytes[i] === lead && bytes[i + 1] === next)) return i;
  }
  return to;
}
