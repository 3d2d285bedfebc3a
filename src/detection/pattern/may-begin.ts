import { CLASS, runEnd } from '../bytes.ts';
import { type ByteSet, type Node, parsePattern } from './parse.ts';
import { prefixSetsOf } from './prefix-sets.ts';

const BITS = 31;

/** The length of a whole match, and what it is made of. */
interface Measure {
  readonly min: number;
  readonly max: number;
  readonly set: ByteSet;
}

/** Some ways to begin, one bit each. */
interface Beginnings {
  /** By place and byte: the bits of those that may have it there. */
  readonly table: Int32Array;
  /** By bit: the bit of its pattern. */
  readonly owners: readonly number[];
}

/** Which of the patterns may begin at a place, as bits: by their first bytes, before anything is made a text. */
export function mayBegin(patterns: readonly string[]): PrefixMatcher {
  return new PrefixMatcher(patterns, false);
}

/**
 * The same for values that must stand alone, with no letter or digit behind them: one that has nothing else is a whole run of them,
 * of a length that its pattern allows.
 */
export function mayStandAlone(patterns: readonly string[]): PrefixMatcher {
  return new PrefixMatcher(patterns, true);
}

/** The tables are made with the first question: there are hundreds of detectors, and most texts ask few of them. */
export class PrefixMatcher {
  readonly #patterns: readonly string[];
  readonly #alone: boolean;
  /** What is looked at first: most places end there. */
  #first: Int32Array | null = null;
  #exact: readonly Beginnings[] = [];
  #measures: readonly Measure[] = [];
  #solid = 0;

  constructor(patterns: readonly string[], alone: boolean) {
    if (patterns.length > BITS) throw new RangeError(`more than ${BITS} patterns`);
    this.#patterns = patterns;
    this.#alone = alone;
  }

  at(bytes: Buffer, at: number): number {
    return aliveIn(this.#first ?? this.#make(), bytes, at) === 0 ? 0 : this.#certain(bytes, at);
  }

  #certain(bytes: Buffer, at: number): number {
    let forms = 0;
    for (let n = 0; n < this.#exact.length; n++) forms |= ownersOf(this.#exact[n]!, bytes, at);
    const solid = forms & this.#solid;
    return solid === 0 ? forms : forms & ~unlikeRun(this.#measures, solid, bytes, at);
  }

  #make(): Int32Array {
    const ways = this.#patterns.flatMap((pattern, n) =>
      waysOf(pattern).map((sets) => ({ sets, owner: 1 << n })),
    );
    this.#exact = Array.from({ length: Math.ceil(ways.length / BITS) }, (_, part) =>
      beginningsOf(ways.slice(part * BITS, (part + 1) * BITS)),
    );
    if (this.#alone) {
      this.#measures = this.#patterns.map((pattern) => measure(parsePattern(pattern).root));
      this.#solid = bitsOf(this.#measures.map(isSolid));
    }
    // More ways than a number has bits: the first look takes all ways of a pattern together.
    this.#first =
      this.#exact.length === 1
        ? this.#exact[0]!.table
        : tableOf(ways.map(({ sets, owner }) => ({ sets, bits: owner })));
    return this.#first;
  }
}

/** Each alternative by itself: a pattern that unfolds into too many shapes at once is not looked at far. */
function waysOf(pattern: string): (readonly ByteSet[])[] {
  const { source, root } = parsePattern(pattern);
  const options = root.kind === 'choice' ? root.options : [root];
  return options.flatMap((option) => prefixSetsOf({ source, root: option })).map(({ sets }) => sets);
}

/** Of these forms, those that the run of letters and digits at the place cannot be. */
function unlikeRun(measures: readonly Measure[], forms: number, bytes: Buffer, at: number): number {
  const run = runOf(bytes, at);
  let unlike = 0;
  for (let n = 0; n < measures.length; n++) {
    if ((forms & (1 << n)) === 0) continue;
    const { min, max, set } = measures[n]!;
    if (run < min || run > max || runEnd(bytes, at, run, set) < at + run) unlike |= 1 << n;
  }
  return unlike;
}

function isSolid({ max, set }: Measure): boolean {
  return max < MAX_RUN && set.every((one, b) => one === 0 || CLASS[b] !== 0);
}

function bitsOf(flags: readonly boolean[]): number {
  return flags.reduce((bits, flag, n) => (flag ? bits | (1 << n) : bits), 0);
}

function ownersOf({ table, owners }: Beginnings, bytes: Buffer, at: number): number {
  let of = 0;
  for (let alive = aliveIn(table, bytes, at); alive !== 0; alive &= alive - 1)
    of |= owners[31 - Math.clz32(alive & -alive)]!;
  return of;
}

function aliveIn(table: Int32Array, bytes: Buffer, at: number): number {
  let alive = -1;
  for (let i = 0; i < table.length; i += 256) {
    alive &= table[i | bytes[at + (i >> 8)]!]!;
    if (alive === 0) return 0;
  }
  return alive;
}

function beginningsOf(ways: readonly { sets: readonly ByteSet[]; owner: number }[]): Beginnings {
  const table = tableOf(ways.map(({ sets }, n) => ({ sets, bits: 1 << n })));
  return { table, owners: ways.map(({ owner }) => owner) };
}

/** As long as the longest way; one that ends before allows anything behind it. */
function tableOf(ways: readonly { sets: readonly ByteSet[]; bits: number }[]): Int32Array {
  const table = new Int32Array(256 * Math.max(...ways.map(({ sets }) => sets.length)));
  for (const { sets, bits } of ways)
    for (let i = 0; i < table.length; i++) if ((sets[i >> 8]?.[i & 255] ?? 1) === 1) table[i]! |= bits;
  return table;
}

const MAX_RUN = 200;

function runOf(bytes: Buffer, at: number): number {
  let i = at;
  while (i < at + MAX_RUN && CLASS[bytes[i]!] !== 0) i++;
  return i - at;
}

function measure(node: Node): Measure {
  switch (node.kind) {
    case 'byte':
      return { min: 1, max: 1, set: node.set };
    case 'border':
      return { min: 0, max: 0, set: union([]) };
    case 'repeat': {
      const { min, max, set } = measure(node.item);
      return { min: min * node.min, max: max * node.max, set };
    }
    case 'sequence': {
      const parts = node.items.map(measure);
      return {
        min: parts.reduce((sum, { min }) => sum + min, 0),
        max: parts.reduce((sum, { max }) => sum + max, 0),
        set: union(parts),
      };
    }
    case 'choice': {
      const options = node.options.map(measure);
      return {
        min: Math.min(...options.map(({ min }) => min)),
        max: Math.max(...options.map(({ max }) => max)),
        set: union(options),
      };
    }
  }
}

function union(parts: readonly { readonly set: ByteSet }[]): ByteSet {
  return Uint8Array.from({ length: 256 }, (_, b) => (parts.some(({ set }) => set[b] === 1) ? 1 : 0));
}
