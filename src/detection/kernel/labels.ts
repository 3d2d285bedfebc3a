/** Context words as numbers, packed from up to eight lower-case letters, so that the kernel can find possible labels. */
import type { Detector } from '../detector.ts';

export const LABEL_LETTERS = 8;
export const LABEL_SHIFT = 48;
export const LABEL_CELLS: number = 1 << (64 - LABEL_SHIFT);
export const LABEL_MULTIPLIER = 0x9e3779b97f4a7c15n;

/** Words that are part of many phrases and are not selective. */
const COMMON = new Set(
  'number no nr num id code name date type key my of the in is a an and for by to new card user file data text first last next current return service'.split(
    ' ',
  ),
);

/** The words that must occur wherever the phrase does: its rarest word, or all of them written together, and their plurals. */
export function gateWords(phrase: string): string[] {
  const words = phrase.split(/[ _-]+/);
  const plain = words.flatMap(asciiWords);
  const rarest = plain.reduce((best, word) => (best === '' || weight(word) > weight(best) ? word : best), '');
  const together = [...words.keys()].flatMap((from) =>
    words.slice(from + 1).map((_, n) => words.slice(from, from + n + 2).join('')),
  );
  const all = [rarest, ...together.flatMap((text) => asciiWords(text).slice(0, 1))];
  return [
    ...new Set(all.flatMap((word) => [word, `${word}s`]).map((word) => word.slice(0, LABEL_LETTERS))),
  ].filter((word) => word.length > 1);
}

function weight(word: string): number {
  return COMMON.has(word) ? 1 : 1 + word.length;
}

/** Runs of ASCII letters; other letters separate them. */
function asciiWords(text: string): string[] {
  const bytes = Buffer.from(text).toString('latin1').toLowerCase();
  return bytes.match(/[a-z]+/g) ?? [];
}

function labelCell(word: string): number {
  let key = 0n;
  for (let n = 0; n < word.length; n++) key |= BigInt(word.charCodeAt(n)) << BigInt(8 * n);
  return Number(BigInt.asUintN(64, key * LABEL_MULTIPLIER) >> BigInt(LABEL_SHIFT));
}

/**
 * Maps context words to detectors. Each detector that requires a label gets a bit, as far as there are enough; a word maps to a set of
 * bits. Set 0 is empty.
 */
export interface Labels {
  readonly cells: Uint16Array;
  readonly labelSets: readonly bigint[];
  /** By detector. */
  readonly detectorBits: ReadonlyMap<number, bigint>;
}

const BITSET_BITS = 256;
export const BITSET_BYTES: number = BITSET_BITS / 8;

/** `labelledDetectors`: those that require a label. */
export function labelsOf(detectors: readonly Detector[], labelledDetectors: readonly number[]): Labels {
  const detectorBits = new Map(
    labelledDetectors.map((detector, n) => [detector, 1n << BigInt(n % BITSET_BITS)]),
  );
  const bitsByCell = new Map<number, bigint>();
  for (const [detector, bit] of detectorBits) {
    for (const word of new Set(detectors[detector]!.context?.words.flatMap(gateWords) ?? []))
      bitsByCell.set(labelCell(word), (bitsByCell.get(labelCell(word)) ?? 0n) | bit);
  }
  const cells = new Uint16Array(LABEL_CELLS);
  const labelSets = [0n, ...new Set(bitsByCell.values())];
  const numbers = new Map(labelSets.map((bits, number) => [bits, number]));
  for (const [cell, labelSet] of bitsByCell) cells[cell] = numbers.get(labelSet)!;
  return { cells, labelSets, detectorBits };
}

/** The union of the bits of these detectors. */
export function detectorBitsOf({ detectorBits }: Labels, detectors: readonly number[]): bigint {
  return detectors.reduce((all, one) => all | (detectorBits.get(one) ?? 0n), 0n);
}

/** In the memory format of the kernel. */
export function writeDetectorBits(into: BigUint64Array, number: number, bits: bigint): void {
  const words = BITSET_BYTES / 8;
  for (let n = 0; n < words; n++) into[number * words + n] = BigInt.asUintN(64, bits >> BigInt(64 * n));
}
