/**
 * A measure on the space of keys, estimated from the keys seen so far. A key's bytes are digits of a number
 * whose base varies by position, with the distribution of the bytes seen there (as in arithmetic coding).
 * Keys are about uniformly distributed in this space, so densities can be extrapolated.
 */
import type { Key } from '../../../base/key.ts';
import { type ByteDistribution, byteDistribution, commonByteClasses } from './byte-distribution.ts';
import {
  commonPrefixLength,
  Folder,
  type KeyPosition,
  keyPositions,
  NameBytes,
  nextKeyPosition,
} from './key-positions.ts';
import { validUtf8 } from './valid-utf8.ts';

const MIN_SCALE = 1e-280;
/** A folder gets its own statistics once this many bytes were seen at a position of its names. */
const MIN_FOLDER_BYTES = 6;

export class KeySpace {
  readonly #root = new Folder();
  readonly #depths: NameBytes[] = [];
  /** By depth: used for all folders with few samples. */
  readonly #typicalFolders: Folder[] = [];
  readonly #positions = new Map<Key, readonly KeyPosition[]>();
  readonly #siblings = new SiblingStats();
  #byteClasses: ReadonlySet<number>[] = [];
  #cachedFolders: Folder[] = [];

  /** Learns keys in order, from one listing. Each position counts where it differs from the key before. */
  learn(keys: readonly Key[]): void {
    let last: readonly KeyPosition[] = [];
    for (const key of keys) {
      const steps = this.#positionsOf(key);
      for (const step of steps.slice(commonPrefixLength(last, steps))) {
        for (const names of this.#namesOf(step)) names.at(step.offset).add(step.byte);
      }
      if (last.length > 0) this.#siblings.addTransition(last, steps);
      last = steps;
    }
    this.#invalidate();
  }

  /**
   * Learns that there is no key between the two: none of the bytes between the two occurs at the position
   * where they differ.
   */
  learnEmpty(a: Key, b: Key | null): void {
    if (b === null) return;
    const from = this.#positionsOf(a);
    const to = this.#positionsOf(b);
    const fork = commonPrefixLength(from, to);
    const high = to[fork];
    if (high === undefined) return;
    this.#siblings.addTransition(from, to);
    const low = from[fork]?.byte ?? -1;
    const isLast = fork === from.length - 1;
    for (const names of this.#namesOf(high)) names.at(high.offset).addGap(isLast ? low - 1 : low, high.byte);
    this.#invalidate();
  }

  /** The mean number of sibling folders that follow a folder of that depth. */
  expectedSiblings(depth: number): number {
    return this.#siblings.expectedSiblings(depth);
  }

  #namesOf({ folder, depth }: KeyPosition): NameBytes[] {
    this.#depths[depth] ??= new NameBytes();
    return [this.#depths[depth], folder.names];
  }

  #invalidate(): void {
    for (const folder of this.#cachedFolders) folder.distributions = [];
    this.#cachedFolders = [];
    this.#typicalFolders.length = 0;
    this.#byteClasses = [];
  }

  #positionsOf(key: Key): readonly KeyPosition[] {
    let steps = this.#positions.get(key);
    if (steps === undefined) {
      steps = keyPositions(this.#root, key);
      this.#positions.set(key, steps);
    }
    return steps;
  }

  /** The share of the whole space; never zero for a < b. `b` null: to the end. */
  measure(a: Key, b: Key | null): number {
    const { from, fork, low, high } = this.#interval(a, b);
    return this.#scale(from, fork) * Math.max(high - low, 1e-15);
  }

  /** The key at this share of the interval, valid UTF-8; null when there is none strictly between. */
  between(a: Key, b: Key | null, share: number): Key | null {
    const { fork, low, high } = this.#interval(a, b);
    const tolerance = ((high - low) * Math.min(share, 1 - share)) / 1000;
    const key = validUtf8(this.#descend(a.slice(0, fork), low + (high - low) * share, tolerance));
    return key > a && (b === null || key < b) ? key : null;
  }

  /**
   * The common prefix and the fractions of both below it: computed from there on, so that no precision is
   * lost to rounding.
   */
  #interval(
    a: Key,
    b: Key | null,
  ): { from: readonly KeyPosition[]; fork: number; low: number; high: number } {
    const from = this.#positionsOf(a);
    if (b === null) return { from, fork: 0, low: this.#fraction(from, 0), high: 1 };
    const to = this.#positionsOf(b);
    const fork = commonPrefixLength(from, to);
    return { from, fork, low: this.#fraction(from, fork), high: this.#fraction(to, fork) };
  }

  /** The measure of all keys with this prefix of `length` steps. */
  #scale(steps: readonly KeyPosition[], length: number): number {
    let scale = 1;
    for (let at = 0; at < length; at++) {
      const { byte } = steps[at]!;
      const alphabet = this.#distribution(steps[at]!);
      scale = Math.max(MIN_SCALE, scale * (alphabet[byte + 1]! - alphabet[byte]! || 1e-6));
    }
    return scale;
  }

  /** The position of the key, from 0 to 1, among the keys that share its first `from` steps. */
  #fraction(steps: readonly KeyPosition[], from: number): number {
    let fraction = 0;
    let scale = 1;
    for (let at = from; at < steps.length && scale > 1e-17; at++) {
      const { byte } = steps[at]!;
      const alphabet = this.#distribution(steps[at]!);
      fraction += alphabet[byte]! * scale;
      scale *= alphabet[byte + 1]! - alphabet[byte]!;
    }
    return Math.min(1, fraction);
  }

  /** Extends the prefix down to the fraction, as far as the tolerance requires. */
  #descend(prefix: string, fraction: number, tolerance: number): string {
    let key = prefix;
    let rest = fraction;
    for (let width = 1; width > tolerance && key.length < prefix.length + 64; ) {
      const alphabet = this.#distribution(nextKeyPosition(this.#root, key));
      const byte = byteAt(alphabet, rest);
      const share = alphabet[byte + 1]! - alphabet[byte]!;
      key += String.fromCharCode(byte);
      rest = Math.min(1 - 1e-12, Math.max(0, (rest - alphabet[byte]!) / share));
      width *= share;
    }
    return key;
  }

  #distribution({ folder, depth, offset }: KeyPosition): ByteDistribution {
    const own = folder.names.offsets[offset];
    const special = own !== undefined && own.total >= MIN_FOLDER_BYTES;
    this.#typicalFolders[depth] ??= new Folder();
    const of = special ? folder : this.#typicalFolders[depth];
    let alphabet = of.distributions[offset];
    if (alphabet === undefined) {
      const pool = this.#depths[depth]?.offsets[offset];
      alphabet = byteDistribution(special ? own : null, pool, this.#byteClassesAt(depth), (offset & 3) > 0);
      if (of.distributions.length === 0) this.#cachedFolders.push(of);
      of.distributions[offset] = alphabet;
    }
    return alphabet;
  }

  #byteClassesAt(depth: number): ReadonlySet<number> {
    const places = this.#depths[depth]?.offsets ?? [];
    this.#byteClasses[depth] ??= new Set(places.flatMap((seen) => (seen ? commonByteClasses(seen) : [])));
    return this.#byteClasses[depth];
  }
}

/** The byte whose interval contains the fraction. */
function byteAt(alphabet: ByteDistribution, fraction: number): number {
  let low = 0;
  for (let high = 255; low < high; ) {
    const middle = (low + high) >> 1;
    if (alphabet[middle + 1]! > fraction) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many folders follow one another inside one folder, by depth, from keys in order. */

export class SiblingStats {
  readonly #followed: number[] = [];
  readonly #left: number[] = [];

  /**
   * Records the step from one key to a later one: some folders end, and in their common folder another
   * follows.
   */
  addTransition(from: readonly KeyPosition[], to: readonly KeyPosition[]): void {
    const fork = commonPrefixLength(from, to);
    const depth = (from[fork] ?? to[fork])?.depth ?? 0;
    const deepest = from.at(-1)?.depth ?? 0;
    if (Math.max(deepest, to.at(-1)?.depth ?? 0) > depth)
      this.#followed[depth] = (this.#followed[depth] ?? 0) + 1;
    for (let left = depth + 1; left <= deepest; left++) this.#left[left] = (this.#left[left] ?? 0) + 1;
  }

  /** The mean for folders of that depth; close to zero for unseen ones. */
  expectedSiblings(depth: number): number {
    return ((this.#followed[depth] ?? 0) + 0.3) / ((this.#left[depth] ?? 0) + 1);
  }
}
