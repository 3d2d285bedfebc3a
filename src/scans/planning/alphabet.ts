/**
 * What may stand at one place of a key: bytes that were met there, that were found missing, and others like them. A character of
 * several bytes has its first one at a place and the others at places of their own.
 */

/** At one place of one folder's names, or of the names of all folders as deep. */
export class Sightings {
  readonly met = new Map<number, number>();
  total = 0;
  /** Nothing lies strictly between the two: looked for and not found. */
  readonly missing: (readonly [number, number])[] = [];

  meet(byte: number): void {
    this.met.set(byte, (this.met.get(byte) ?? 0) + 1);
    this.total++;
  }

  miss(from: number, to: number): void {
    if (to - from > 1 && this.missing.length < 64) this.missing.push([from, to]);
  }
}

/** For each byte the share of those before it; one more entry than bytes. */
export type Alphabet = Float64Array;

/** Bytes that stand for each other: where one is, the others may be. The first kind is everything else. */
const KINDS: readonly (readonly [number, number])[] = [
  [0, -1],
  [0x30, 0x39], // digits
  [0x61, 0x66], // letters of hexadecimal numbers
  [0x61, 0x7a],
  [0x41, 0x46],
  [0x41, 0x5a],
  [0x80, 0xbf], // the later bytes of a character
  [0xc2, 0xdf], // first bytes of two, three, four
  [0xe0, 0xef],
  [0xf0, 0xf4],
];
const OTHER = 0;
const DIGIT = 1;

const KIND_OF = Uint8Array.from({ length: 256 }, (_, byte) => {
  const kind = KINDS.findIndex(([from, to]) => byte >= from && byte <= to);
  return kind === -1 ? OTHER : kind;
});

/** How likely another of its kind is, compared with one that was met: beside one or two of them, and beside many. */
const LIKE_FEW = [0, 0.7, 0.2, 0.05, 0.2, 0.05, 0.7, 0.05, 0.05, 0.05];
const LIKE_MANY = [0, 1, 1, 1, 1, 1, 1, 0.3, 0.3, 0.3];
/** Of a kind that is common elsewhere in such names; of any kind. */
const AROUND = 0.3;
const ANYTHING = 0.0005;
/** So many different ones at a place make it one where anything of their kind may stand. */
const MANY = 3;
/** The share of what was met at a place that makes a kind a common one there. */
const COMMON = 0.15;
/** So many times rarer than the others, a byte or a kind still counts in full; beyond, the rarer the less. */
const RARE = 10;

const isAnything = (byte: number) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0xc2 && byte <= 0xf4);
const START = Float64Array.from({ length: 256 }, (_, byte) => (isAnything(byte) ? ANYTHING : 0));
const LATER = Float64Array.from({ length: 256 }, (_, byte) => (byte >= 0x80 && byte <= 0xbf ? 0.3 : 0));

/**
 * `own`: at this place in the names of this folder. `pool`: in those of all folders as deep, this one among them. `around`:
 * kinds of bytes at places of those names where many different ones stand. `later`: not the first byte of a character.
 */
export function alphabetOf(
  own: Sightings | null,
  pool: Sightings | undefined,
  around: ReadonlySet<number>,
  later: boolean,
): Alphabet {
  const weights = (later ? LATER : START).slice();
  if (pool === undefined || pool.total === 0) return summed(weights);
  const raise = (byte: number, weight: number) => {
    if (weights[byte]! < weight) weights[byte] = weight;
  };
  const raiseKind = (kind: number, weight: number) => {
    for (let byte = KINDS[kind]![0]; byte <= KINDS[kind]![1]; byte++) raise(byte, weight);
  };
  const kinds = timesOfKinds(pool);
  if (!later && (kinds.size > 1 || !kinds.has(OTHER))) for (const kind of around) raiseKind(kind, AROUND);
  for (const [kind, times] of kinds) {
    const isCommon = pool.met.size >= MANY && times > COMMON * pool.total;
    raiseKind(kind, (isCommon ? LIKE_MANY : LIKE_FEW)[kind]! * Math.min(1, (RARE * times) / pool.total));
  }
  const often = Math.max(...pool.met.values()) / RARE;
  for (const [byte, times] of pool.met)
    raise(byte, (KIND_OF[byte] === OTHER ? 0.7 : 1) * Math.min(1, times / often));
  discount(weights, pool);
  for (const byte of own?.met.keys() ?? []) raise(byte, Math.min(1, (pool.met.get(byte) ?? 1) / often));
  return summed(weights);
}

function timesOfKinds({ met }: Sightings): Map<number, number> {
  const kinds = new Map<number, number>();
  for (const [byte, times] of met) kinds.set(KIND_OF[byte]!, (kinds.get(KIND_OF[byte]!) ?? 0) + times);
  return kinds;
}

/** Kinds that make up a good part of what was met at a place where many different bytes were. */
export function commonKinds(seen: Sightings): number[] {
  if (seen.met.size < MANY || Math.max(...seen.met.values()) > 0.6 * seen.total) return [];
  return [...timesOfKinds(seen)]
    .filter(([kind, times]) => kind >= DIGIT && times > COMMON * seen.total)
    .map(([kind]) => kind);
}

/** The more often a byte was found missing, the less likely it is. */
function discount(weights: Float64Array, { missing, met }: Sightings): void {
  if (missing.length === 0) return;
  const changes = new Int32Array(257);
  for (const [from, to] of missing) {
    changes[from + 1]!++;
    changes[to]!--;
  }
  for (let byte = 0, times = 0; byte < 256; byte++) {
    times += changes[byte]!;
    if (times === 0 || weights[byte] === 0) continue;
    const seen = (met.get(byte) ?? 0) + 0.5;
    weights[byte] = (weights[byte]! * seen) / (seen + times);
  }
}

function summed(weights: Float64Array): Float64Array {
  const before = new Float64Array(257);
  for (let byte = 0; byte < 256; byte++) before[byte + 1] = before[byte]! + weights[byte]!;
  const total = before[256]!;
  for (let byte = 1; byte <= 256; byte++) before[byte] = before[byte]! / total;
  return before;
}
