/** Where things are in the kernel's memory. */
import { HEADS } from './heads.ts';
import { BITSET_BYTES, LABEL_CELLS } from './labels.ts';
import { MASK_SPACING, MASKS } from './mask-pass.ts';

export const CANDIDATE_BYTES = 8; // where, and what
/** Of the automaton's table, at most. Texts of all kinds use a third of it with all detectors, and what is not used takes no memory. */
const MAX_TABLE_BYTES = 16 * 1024 * 1024;
/** Bytes of text in the window, and zeros behind it for whole vectors. */
export const WINDOW_BYTES: number = 384 * 1024;
const MARGIN = 16 * 1024;
const PAGE = 65536;
/** A call ends when the records are this near to their end: one step writes less. */
export const CANDIDATES_BYTES: number = 512 * 1024;

/** Of a context word in a text: its place, and where its voices are among the speeches. */
export const LABEL_HIT_BYTES = 8;
/** A word takes two bytes at least. */
const MAX_LABEL_HITS = 4096;
/** Of outcomes beyond these nobody knows who listens: all are asked. */
export const MAX_DETECTOR_SETS = 8192;

export interface Layout {
  readonly stopped: number; // the address where a call stopped
  readonly lineEnd: number; // the last line end that was counted
  readonly tile: number; // the address of the first byte that has a mask
  readonly masks: number;
  readonly tails: number;
  readonly labels: number; // by cell of a word, its speech
  readonly labelSets: number; // by number, its voices
  readonly labelHits: number; // the context words of the tile
  readonly labelHitsEnd: number; // where that list ends, and how far it has been followed
  readonly cursor: number;
  readonly detectorBits: number; // by outcome, the voices that those hear who want a label
  readonly columnBits: number; // the voices that columns speak with
  readonly heads: number;
  readonly insides: number; // by byte, 1 if a place behind it is inside a word
  readonly byteClasses: number; // by byte, where its steps are in a row
  readonly table: number;
  readonly tableBytes: number;
  readonly rowBytes: number;
  readonly candidates: number;
  readonly window: number;
  readonly pages: number;
}

/** `rowBytes` and `rowCount`: of the automaton's table, as many as it may use; `labelSetCount`: what context words say. */
export function layoutFor(rowBytes: number, rowCount: number, labelSetCount: number): Layout {
  const masks = 64;
  const tails = masks + MASKS.length * MASK_SPACING;
  const labels = tails + 4096;
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
    tails,
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
