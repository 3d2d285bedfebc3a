/** The memory layout of the kernel. */
import { HEADS } from './heads.ts';
import { BITSET_BYTES, LABEL_CELLS } from './labels.ts';
import { MASK_SPACING, MASKS } from './mask-pass.ts';

export const CANDIDATE_BYTES = 8; // position, id
/** Maximum size of the DFA table. Typical texts use a third of it with all detectors, and unused pages take no memory. */
const MAX_TABLE_BYTES = 16 * 1024 * 1024;
/** Bytes of text in the window; zeros follow it so that whole vectors can be loaded. */
export const WINDOW_BYTES: number = 384 * 1024;
const MARGIN = 16 * 1024;
const PAGE = 65536;
/** Size of the candidate buffer. A call stops early enough that the next step cannot overflow it. */
export const CANDIDATES_BYTES: number = 512 * 1024;

/** An entry per context word in the text: its position and the offset of its label set. */
export const LABEL_HIT_BYTES = 8;
/** A word takes at least two bytes, which bounds the entries per tile. */
const MAX_LABEL_HITS = 4096;
/** Detector sets with a higher number have no bits here and are treated as near a label. */
export const MAX_DETECTOR_SETS = 8192;

export interface Layout {
  readonly stopped: number; // where the last call stopped
  readonly lineEnd: number; // the last line end that was counted
  readonly tile: number; // the address of the first byte that has a mask
  readonly masks: number;
  readonly suffixes: number; // by hash of three letters: one bit, set if a name may end so
  readonly labels: number; // by hash of a word: the number of its label set
  readonly labelSets: number; // by number of a label set: its bits
  readonly labelHits: number; // the context words of the tile
  readonly labelHitsEnd: number; // the end of that list; `cursor` is how far it has been traversed
  readonly cursor: number;
  readonly detectorBits: number; // by detector set: the bits of its detectors that require a label
  readonly columnBits: number; // the bits of the detectors that columns are labels of
  readonly heads: number; // of known words: see heads.ts
  readonly insides: number; // by byte: 1 if the position after it is inside a word
  readonly byteClasses: number; // by byte: the offset of its transitions in a row
  readonly table: number;
  readonly tableBytes: number;
  readonly rowBytes: number;
  readonly candidates: number;
  readonly window: number;
  readonly pages: number;
}

/** `rowBytes`, `rowCount`: of the DFA table, whose size is limited; `labelSetCount`: the number of label sets. */
export function layoutFor(rowBytes: number, rowCount: number, labelSetCount: number): Layout {
  const masks = 64;
  const suffixes = masks + MASKS.length * MASK_SPACING;
  const labels = suffixes + 4096;
  const labelSets = labels + 2 * LABEL_CELLS;
  const labelHits = labelSets + labelSetCount * BITSET_BYTES;
  const detectorBits = labelHits + MAX_LABEL_HITS * LABEL_HIT_BYTES;
  const heads = detectorBits + (MAX_DETECTOR_SETS + 1) * BITSET_BYTES;
  const insides = heads + 2 * HEADS;
  const byteClasses = insides + 256;
  const table = byteClasses + 512;
  const tableBytes = Math.min(rowBytes * rowCount, MAX_TABLE_BYTES);
  const candidates = align(table + tableBytes);
  const window = candidates + CANDIDATES_BYTES + MARGIN;
  const pages = Math.ceil((window + WINDOW_BYTES + MARGIN) / PAGE);
  return {
    stopped: 16,
    lineEnd: 20,
    tile: 24,
    masks,
    suffixes,
    labels,
    labelSets,
    labelHits,
    labelHitsEnd: 28,
    cursor: 32,
    columnBits: detectorBits + MAX_DETECTOR_SETS * BITSET_BYTES,
    detectorBits,
    heads,
    insides,
    byteClasses,
    table,
    tableBytes,
    rowBytes,
    candidates,
    window,
    pages,
  };
}

function align(address: number): number {
  return Math.ceil(address / 16) * 16;
}
