/**
 * What may stand at one place of a key: bytes that were met there, that were found missing, and others like them. A character of
 * several bytes has its first one at a place and the others at places of their own.
 */

/** At one place of one folder's names, or of the names of all folders as deep. */
export class ByteCounts {
  readonly counts = new Map<number, number>();
  total = 0;
  /** Nothing lies strictly between the two: looked for and not found. */
  readonly gaps: (readonly [number, number])[] = [];

  add(byte: number): void {
    this.counts.set(byte, (this.counts.get(byte) ?? 0) + 1);
    this.total++;
  }

  addGap(from: number, to: number): void {
    if (to - from > 1 && this.gaps.length < 64) this.gaps.push([from, to]);
  }
}

/** For each byte the share of those before it; one more entry than bytes. */
export type ByteDistribution = Float64Array;

/** Bytes that stand for each other: where one is, the others may be. The first kind is everything else. */
const BYTE_CLASSES: readonly (readonly [number, number])[] = [
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

const CLASS_OF = Uint8Array.from({ length: 256 }, (_, byte) => {
  const kind = BYTE_CLASSES.findIndex(([from, to]) => byte >= from && byte <= to);
  return kind === -1 ? OTHER : kind;
});

/** How likely another of its kind is, compared with one that was met: beside one or two of them, and beside many. */
const WEIGHT_BESIDE_FEW = [0, 0.7, 0.2, 0.05, 0.2, 0.05, 0.7, 0.05, 0.05, 0.05];
const WEIGHT_BESIDE_MANY = [0, 1, 1, 1, 1, 1, 1, 0.3, 0.3, 0.3];
/** Of a kind that is common elsewhere in such names; of any kind. */
const WEIGHT_COMMON_ELSEWHERE = 0.3;
const WEIGHT_ANY_BYTE = 0.0005;
/** So many different ones at a place make it one where anything of their kind may stand. */
const MIN_DISTINCT_BYTES = 3;
/** The share of what was met at a place that makes a kind a common one there. */
const COMMON_SHARE = 0.15;
/** So many times rarer than the others, a byte or a kind still counts in full; beyond, the rarer the less. */
const RARITY_LIMIT = 10;

const isAnything = (byte: number) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0xc2 && byte <= 0xf4);
const LEAD_BYTE_WEIGHTS = Float64Array.from({ length: 256 }, (_, byte) =>
  isAnything(byte) ? WEIGHT_ANY_BYTE : 0,
);
const CONTINUATION_WEIGHTS = Float64Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 && byte <= 0xbf ? 0.3 : 0,
);

/**
 * `own`: at this place in the names of this folder. `pool`: in those of all folders as deep, this one among them. `around`:
 * kinds of bytes at places of those names where many different ones stand. `later`: not the first byte of a character.
 */
export function byteDistribution(
  own: ByteCounts | null,
  pool: ByteCounts | undefined,
  around: ReadonlySet<number>,
  later: boolean,
): ByteDistribution {
  const weights = (later ? CONTINUATION_WEIGHTS : LEAD_BYTE_WEIGHTS).slice();
  if (pool === undefined || pool.total === 0) return toCumulative(weights);
  const raise = (byte: number, weight: number) => {
    if (weights[byte]! < weight) weights[byte] = weight;
  };
  const raiseKind = (kind: number, weight: number) => {
    for (let byte = BYTE_CLASSES[kind]![0]; byte <= BYTE_CLASSES[kind]![1]; byte++) raise(byte, weight);
  };
  const kinds = countByClass(pool);
  if (!later && (kinds.size > 1 || !kinds.has(OTHER)))
    for (const kind of around) raiseKind(kind, WEIGHT_COMMON_ELSEWHERE);
  for (const [kind, times] of kinds) {
    const isCommon = pool.counts.size >= MIN_DISTINCT_BYTES && times > COMMON_SHARE * pool.total;
    raiseKind(
      kind,
      (isCommon ? WEIGHT_BESIDE_MANY : WEIGHT_BESIDE_FEW)[kind]! *
        Math.min(1, (RARITY_LIMIT * times) / pool.total),
    );
  }
  const often = Math.max(...pool.counts.values()) / RARITY_LIMIT;
  for (const [byte, times] of pool.counts)
    raise(byte, (CLASS_OF[byte] === OTHER ? 0.7 : 1) * Math.min(1, times / often));
  discountGaps(weights, pool);
  for (const byte of own?.counts.keys() ?? []) raise(byte, Math.min(1, (pool.counts.get(byte) ?? 1) / often));
  return toCumulative(weights);
}

function countByClass({ counts }: ByteCounts): Map<number, number> {
  const kinds = new Map<number, number>();
  for (const [byte, times] of counts) kinds.set(CLASS_OF[byte]!, (kinds.get(CLASS_OF[byte]!) ?? 0) + times);
  return kinds;
}

/** Kinds that make up a good part of what was met at a place where many different bytes were. */
export function commonByteClasses(seen: ByteCounts): number[] {
  if (seen.counts.size < MIN_DISTINCT_BYTES || Math.max(...seen.counts.values()) > 0.6 * seen.total)
    return [];
  return [...countByClass(seen)]
    .filter(([kind, times]) => kind >= DIGIT && times > COMMON_SHARE * seen.total)
    .map(([kind]) => kind);
}

/** The more often a byte was found missing, the less likely it is. */
function discountGaps(weights: Float64Array, { gaps, counts }: ByteCounts): void {
  if (gaps.length === 0) return;
  const changes = new Int32Array(257);
  for (const [from, to] of gaps) {
    changes[from + 1]!++;
    changes[to]!--;
  }
  for (let byte = 0, times = 0; byte < 256; byte++) {
    times += changes[byte]!;
    if (times === 0 || weights[byte] === 0) continue;
    const seen = (counts.get(byte) ?? 0) + 0.5;
    weights[byte] = (weights[byte]! * seen) / (seen + times);
  }
}

function toCumulative(weights: Float64Array): Float64Array {
  const before = new Float64Array(257);
  for (let byte = 0; byte < 256; byte++) before[byte + 1] = before[byte]! + weights[byte]!;
  const total = before[256]!;
  for (let byte = 1; byte <= 256; byte++) before[byte] = before[byte]! / total;
  return before;
}
