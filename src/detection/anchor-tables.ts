import { ALNUM, CLASS, COLON, DIGIT, LOWER, UPPER } from './bytes.ts';
import { gateWord } from './context.ts';
import type { Anchor, Detector, Made } from './detector.ts';

/**
 * The anchors of all detectors, turned into tables for the one pass. A cell holds the number of a *set* of detectors to
 * ask, so a hit is two small numbers whatever the count of detectors. Set 0 is nobody; LABEL is a context word.
 */
export interface AnchorTables {
  readonly sets: readonly DetectorSet[];
  /** By length (63: that or more), made-of bits and classes of the two bytes behind it: see `tokenCell`. */
  readonly token: Uint16Array;
  /** By a set, the set of those that are asked also where no number can begin. */
  readonly plain: Uint16Array;
  /** By the first three bytes of a token, the number of a bucket of literals that may begin there. */
  readonly head: Uint16Array;
  readonly literals: readonly (readonly Literal[])[];
  /** By a border byte and the byte after it. */
  readonly pair: Uint16Array;
  /** By the last three letters of a name. */
  readonly tail: Uint16Array;
}

/** Whom to ask at an anchor: always, and only where something may name the value. */
export interface DetectorSet {
  readonly always: readonly number[];
  readonly labelled: readonly number[];
}

export interface Literal {
  readonly bytes: Uint8Array;
  readonly anyCase: boolean;
  readonly set: number;
}

export const LABEL = 1;
export const LONG = 63;
/** The bytes that anchors may ask for after a token; everything else is class 0. */
const FOLLOWERS = ' -.:/)_';
export const FOLLOWER = new Uint8Array(256);
for (let i = 0; i < FOLLOWERS.length; i++) FOLLOWER[FOLLOWERS.charCodeAt(i)] = i + 1;

/** What stands behind a follower; everything else is class 0. */
const BEYONDS = 'dUl:';
export const BEYOND = Uint8Array.from(CLASS, (kind, byte) => {
  if (kind === 0) return byte === COLON ? BEYONDS.indexOf(':') + 1 : 0;
  return BEYONDS.indexOf(kind === DIGIT ? 'd' : kind === UPPER ? 'U' : 'l') + 1;
});

export function tokenCell(length: number, made: number, follower: number, beyond: number): number {
  return (length << 9) | (made << 6) | (follower << 3) | beyond;
}

/** Three letters in any case; other bytes fall on some cell too, which is allowed: whoever is asked looks again. */
export function threeCell(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}

export function anchorTables(detectors: readonly Detector[]): AnchorTables {
  const sets = new SetList();
  const token = new Uint16Array(64 << 9);
  const pair = new Uint16Array(65536);
  const tail = new Uint16Array(32768);
  const heads = new HeadList();
  const place = (anchor: Anchor, index: number) => {
    if (anchor.kind === 'literal') {
      heads.add({
        bytes: bytesOf(anchor.text),
        anyCase: anchor.anyCase ?? false,
        set: sets.with(0, index, anchor.labelled),
      });
      return;
    }
    const [table, cells] =
      anchor.kind === 'token'
        ? [token, tokenCells(anchor)]
        : anchor.kind === 'pair'
          ? [pair, pairCells(anchor)]
          : [tail, tailCells(anchor)];
    for (const cell of cells) table[cell] = sets.with(table[cell]!, index, anchor.labelled);
  };
  detectors.forEach((detector, index) => {
    for (const anchor of detector.anchors) place(anchor, index);
  });
  const words = detectors.flatMap((detector) => detector.context?.words ?? []);
  for (const word of new Set(words.map(gateWord)))
    heads.add({ bytes: bytesOf(word), anyCase: true, set: LABEL });
  return {
    sets: sets.all,
    token,
    plain: sets.plain(),
    head: heads.head,
    literals: heads.literals,
    pair,
    tail,
  };
}

class SetList {
  readonly all: DetectorSet[] = [NOBODY, NOBODY]; // nobody, LABEL
  readonly #known = new Map<string, number>();

  /** The number of the set that has also this detector. */
  with(set: number, detector: number, labelled = false): number {
    const { always, labelled: others } = this.all[set]!;
    if (always.includes(detector) || (labelled && others.includes(detector))) return set;
    const rest = others.filter((other) => other !== detector);
    const grown = labelled
      ? { always, labelled: [...others, detector] }
      : { always: [...always, detector], labelled: rest };
    const name = `${grown.always.join()}/${grown.labelled.join()}`;
    const known = this.#known.get(name) ?? this.all.push(grown) - 1;
    this.#known.set(name, known);
    return known;
  }

  /** Each set without those that need a label. */
  plain(): Uint16Array {
    const without = ({ always }: DetectorSet) =>
      always.reduce((set, detector) => this.with(set, detector), 0);
    return Uint16Array.from([...this.all], without);
  }
}

const NOBODY: DetectorSet = { always: [], labelled: [] };

class HeadList {
  readonly head = new Uint16Array(32768);
  readonly literals: Literal[][] = [[]];

  add(literal: Literal): void {
    const [a = 0, b = 0, c] = literal.bytes;
    // A literal of two bytes may be followed by anything.
    const thirds = c === undefined ? Array.from({ length: 32 }, (_, i) => i) : [c];
    for (const cell of thirds.map((third) => threeCell(a, b, third))) {
      if (this.head[cell] === 0) this.head[cell] = this.literals.push([]) - 1;
      this.literals[this.head[cell]!]!.push(literal);
    }
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
const ANY_FOLLOWER = Array.from({ length: FOLLOWERS.length + 1 }, (_, i) => i);

const ANY_BEYOND = Array.from({ length: BEYONDS.length + 1 }, (_, i) => i);

function tokenCells(anchor: Extract<Anchor, { kind: 'token' }>): number[] {
  const followers = anchor.next ? [...anchor.next].map((c) => FOLLOWER[c.charCodeAt(0)]!) : ANY_FOLLOWER;
  if (anchor.next && followers.includes(0))
    throw new RangeError(`"${anchor.next}" has a byte that is no follower`);
  const beyonds = anchor.beyond ? [...anchor.beyond].map((c) => BEYONDS.indexOf(c) + 1) : ANY_BEYOND;
  const cells: number[] = [];
  for (const made of anchor.made) {
    for (let length = anchor.length[0]; length <= Math.min(anchor.length[1], LONG - 1); length++) {
      for (const follower of followers)
        for (const beyond of beyonds) cells.push(tokenCell(length, MADE[made], follower, beyond));
    }
  }
  return cells;
}

function pairCells(anchor: Extract<Anchor, { kind: 'pair' }>): number[] {
  return [...anchor.next].map((next) => (anchor.byte.charCodeAt(0) << 8) | next.charCodeAt(0));
}

function tailCells(anchor: Extract<Anchor, { kind: 'assignment' }>): number[] {
  return anchor.tails.map((tail) => threeCell(tail.charCodeAt(0), tail.charCodeAt(1), tail.charCodeAt(2)));
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
