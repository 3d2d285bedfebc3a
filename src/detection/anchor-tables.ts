import { ALNUM, CLASS, DIGIT, LOWER, UPPER } from './bytes.ts';
import type { Anchor, Detector, Made } from './detector.ts';

/**
 * The anchors of all detectors, turned into tables for the one pass. A cell holds the number of a *set* of detectors to
 * ask; set 0 is nobody. Sets are few, so a hit is two small numbers whatever the count of detectors.
 */
export interface AnchorTables {
  readonly sets: readonly (readonly number[])[];
  /** By length (63: that or more), made-of bits and class of the next byte: see `tokenCell`. */
  readonly token: Uint16Array;
  /** By two bytes: a literal's first two, or a border byte and its follower. */
  readonly pair: Uint8Array;
  readonly literals: readonly (readonly Literal[])[];
  /** By the last three letters of a name: see `tailCell`. */
  readonly tail: Uint16Array;
}

export interface Literal {
  readonly bytes: Uint8Array;
  readonly anyCase: boolean;
  readonly set: number;
}

export const LONG = 63;
/** The bytes that anchors may ask for after a token; everything else is class 0. */
const FOLLOWERS = ' -.:/)_';
export const FOLLOWER = new Uint8Array(256);
for (let i = 0; i < FOLLOWERS.length; i++) FOLLOWER[FOLLOWERS.charCodeAt(i)] = i + 1;

export function tokenCell(length: number, made: number, follower: number): number {
  return (length << 6) | (made << 3) | follower;
}

/** Any case; non-letters fall on some cell too, which is allowed: verifiers look again. */
export function tailCell(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}

export function anchorTables(detectors: readonly Detector[]): AnchorTables {
  const sets = new SetList();
  const token = new Uint16Array(64 << 6);
  const pair = new Uint8Array(65536);
  const tail = new Uint16Array(32768);
  const literals: Literal[][] = [[]];
  const bucketOf = (cell: number) => {
    if (pair[cell] === 0) pair[cell] = literals.push([]) - 1;
    return literals[pair[cell]!]!;
  };
  detectors.forEach((detector, index) => {
    for (const anchor of detector.anchors) {
      if (anchor.kind === 'token') {
        for (const cell of tokenCells(anchor)) token[cell] = sets.with(token[cell]!, index);
      } else if (anchor.kind === 'assignment') {
        for (const cell of anchor.tails.map(tailOf)) tail[cell] = sets.with(tail[cell]!, index);
      } else {
        for (const literal of literalsOf(anchor, sets.with(0, index))) {
          for (const cell of firstPairs(literal)) bucketOf(cell).push(literal);
        }
      }
    }
  });
  if (literals.length > 256) throw new RangeError('more literal buckets than a byte can number');
  return { sets: sets.all, token, pair, literals, tail };
}

class SetList {
  readonly all: number[][] = [[]];
  readonly #known = new Map<string, number>();

  /** The number of the set that has also this detector. */
  with(set: number, detector: number): number {
    const members = this.all[set]!;
    if (members.includes(detector)) return set;
    const grown = [...members, detector];
    const name = grown.join();
    const known = this.#known.get(name) ?? this.all.push(grown) - 1;
    this.#known.set(name, known);
    return known;
  }
}

const MADE: Record<Made, number> = {
  d: DIGIT,
  U: UPPER,
  l: LOWER,
  Ud: UPPER | DIGIT,
  ld: LOWER | DIGIT,
  Ul: UPPER | LOWER,
  Uld: ALNUM,
};

function* tokenCells(anchor: Extract<Anchor, { kind: 'token' }>): Iterable<number> {
  const followers = anchor.next ? [...anchor.next].map((c) => FOLLOWERS.indexOf(c) + 1) : FOLLOWERS_ALL;
  if (followers.includes(0) && anchor.next)
    throw new RangeError(`no follower class for one of "${anchor.next}"`);
  for (const made of anchor.made) {
    for (let length = anchor.length[0]; length <= Math.min(anchor.length[1], LONG - 1); length++) {
      for (const follower of followers) yield tokenCell(length, MADE[made], follower);
    }
  }
}

const FOLLOWERS_ALL = Array.from({ length: FOLLOWERS.length + 1 }, (_, i) => i);

function tailOf(tail: string): number {
  return tailCell(tail.charCodeAt(0), tail.charCodeAt(1), tail.charCodeAt(2));
}

function literalsOf(anchor: Extract<Anchor, { kind: 'literal' | 'pair' }>, set: number): Literal[] {
  const texts = anchor.kind === 'literal' ? [anchor.text] : [...anchor.next].map((n) => anchor.byte + n);
  const anyCase = anchor.kind === 'literal' && anchor.anyCase === true;
  return texts.map((text) => ({ bytes: Buffer.from(text, 'latin1'), anyCase, set }));
}

function firstPairs(literal: Literal): Set<number> {
  const [a, b] = [literal.bytes[0]!, literal.bytes[1]!];
  const pairs = literal.anyCase
    ? caseVariants(a).flatMap((x) => caseVariants(b).map((y) => (x << 8) | y))
    : [(a << 8) | b];
  return new Set(pairs);
}

function caseVariants(byte: number): number[] {
  return CLASS[byte]! & (UPPER | LOWER) ? [byte | 32, byte & ~32] : [byte];
}
