import { CLASS, runEnd } from '../bytes.ts';
import { type ByteSet, type Node, parsePattern } from './parse.ts';
import { prefixSetsOf } from './prefix-sets.ts';

const BITS = 31;

/** The length range of a whole match, and the bytes it consists of. */
interface Measure {
  readonly min: number;
  readonly max: number;
  readonly set: ByteSet;
}

/** Up to 31 beginnings, one bit each. */
interface Beginnings {
  /** By position and byte: the bits of the beginnings that allow it. */
  readonly table: Int32Array;
  /** By bit: the bit of its pattern. */
  readonly owners: readonly number[];
}

/** Which patterns may begin at a position, as bits. Tests only the first bytes, before anything is decoded. */
export function mayBegin(patterns: readonly string[]): PrefixMatcher {
  return new PrefixMatcher(patterns, false);
}

/**
 * The same for values that must end at a word boundary: one that consists of letters and digits only must fill a whole run of them, with
 * a length that its pattern allows.
 */
export function mayStandAlone(patterns: readonly string[]): PrefixMatcher {
  return new PrefixMatcher(patterns, true);
}

/** The tables are built on first use: there are hundreds of detectors, and most texts need few of them. */
export class PrefixMatcher {
  readonly #patterns: readonly string[];
  readonly #alone: boolean;
  /** Tested first; rejects most positions. */
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
    // More beginnings than bits: the first test merges all beginnings of a pattern.
    this.#first =
      this.#exact.length === 1
        ? this.#exact[0]!.table
        : tableOf(ways.map(({ sets, owner }) => ({ sets, bits: owner })));
    return this.#first;
  }
}

/** Expands each alternative separately: for a pattern with too many alternatives the expansion stops early. */
function waysOf(pattern: string): (readonly ByteSet[])[] {
  const { source, root } = parsePattern(pattern);
  const options = root.kind === 'choice' ? root.options : [root];
  return options.flatMap((option) => prefixSetsOf({ source, root: option })).map(({ sets }) => sets);
}

/** Of these patterns, those that cannot match the run of letters and digits at the position. */
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

/** As long as the longest beginning; one that ends earlier allows any byte after it. */
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
