/**
 * The distribution of the byte at one position of a key, from bytes that were seen there, that were found
 * missing, and similar ones. The bytes of a multi-byte character have positions of their own.
 */

/** Counts at one position in the names of one folder, or of all folders of the same depth. */
export class ByteCounts {
  readonly counts = new Map<number, number>();
  total = 0;
  /** Pairs without a key strictly between them: probed and found empty. */
  readonly gaps: (readonly [number, number])[] = [];

  add(byte: number): void {
    this.counts.set(byte, (this.counts.get(byte) ?? 0) + 1);
    this.total++;
  }

  addGap(from: number, to: number): void {
    if (to - from > 1 && this.gaps.length < 64) this.gaps.push([from, to]);
  }
}

/** For each byte the cumulative probability of the bytes before it; one more entry than bytes. */
export type ByteDistribution = Float64Array;

/** Classes of bytes: where one member occurs, the others are likely. Class 0 is everything else. */
const BYTE_CLASSES: readonly (readonly [number, number])[] = [
  [0, -1],
  [0x30, 0x39], // digits
  [0x61, 0x66], // hexadecimal letters
  [0x61, 0x7a],
  [0x41, 0x46],
  [0x41, 0x5a],
  [0x80, 0xbf], // continuation bytes
  [0xc2, 0xdf], // lead bytes of two, three, four
  [0xe0, 0xef],
  [0xf0, 0xf4],
];
const OTHER = 0;
const DIGIT = 1;

const CLASS_OF = Uint8Array.from({ length: 256 }, (_, byte) => {
  const kind = BYTE_CLASSES.findIndex(([from, to]) => byte >= from && byte <= to);
  return kind === -1 ? OTHER : kind;
});

/**
 * Weight of an unseen byte by its class, relative to a seen one: beside one or two seen members, and beside
 * many.
 */
const WEIGHT_BESIDE_FEW = [0, 0.7, 0.2, 0.05, 0.2, 0.05, 0.7, 0.05, 0.05, 0.05];
const WEIGHT_BESIDE_MANY = [0, 1, 1, 1, 1, 1, 1, 0.3, 0.3, 0.3];
/** Weight of an unseen byte whose class is common elsewhere in such names; and of any class. */
const WEIGHT_COMMON_ELSEWHERE = 0.3;
const WEIGHT_ANY_BYTE = 0.0005;
/** This many distinct bytes at a position make it variable: any byte of their classes may occur. */
const MIN_DISTINCT_BYTES = 3;
/** Minimum share of the bytes seen at a position for a class to be common there. */
const COMMON_SHARE = 0.15;
/** A byte or class up to this many times rarer than the others counts fully; beyond, its weight decreases. */
const RARITY_LIMIT = 10;

const isAnything = (byte: number) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0xc2 && byte <= 0xf4);
const LEAD_BYTE_WEIGHTS = Float64Array.from({ length: 256 }, (_, byte) =>
  isAnything(byte) ? WEIGHT_ANY_BYTE : 0,
);
const CONTINUATION_WEIGHTS = Float64Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 && byte <= 0xbf ? 0.3 : 0,
);

/**
 * `own`: this position in the names of this folder. `pool`: in those of all folders of the same depth,
 * including this one. `around`: common classes at variable positions of those names. `later`: a
 * continuation byte.
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

/** Classes with a large share of the bytes at a variable position. */
export function commonByteClasses(seen: ByteCounts): number[] {
  if (seen.counts.size < MIN_DISTINCT_BYTES || Math.max(...seen.counts.values()) > 0.6 * seen.total)
    return [];
  return [...countByClass(seen)]
    .filter(([kind, times]) => kind >= DIGIT && times > COMMON_SHARE * seen.total)
    .map(([kind]) => kind);
}

/** Reduces the weight of a byte the more often it was found missing. */
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
