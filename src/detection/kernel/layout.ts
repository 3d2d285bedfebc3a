/** Where things are in the kernel's memory. */
import { HEADS } from './heads.ts';
import { LABEL_CELLS, VOICE_BYTES } from './labels.ts';
import { MASK_SPACING, MASKS } from './mask-pass.ts';

export const RECORD_BYTES = 8; // where, and what
/** Of the automaton's table, at most. Texts of all kinds use a third of it with all detectors, and what is not used takes no memory. */
const MOST_TABLE_BYTES = 16 * 1024 * 1024;
/** Bytes of text in the window, and zeros behind it for whole vectors. */
export const WINDOW_BYTES: number = 384 * 1024;
const MARGIN = 16 * 1024;
const PAGE = 65536;
/** A call ends when the records are this near to their end: one step writes less. */
export const RECORDS_BYTES: number = 512 * 1024;

/** Of a context word in a text: its place, and where its voices are among the speeches. */
export const SPOKEN_BYTES = 8;
/** A word takes two bytes at least. */
const MOST_SPOKEN = 4096;
/** Of outcomes beyond these nobody knows who listens: all are asked. */
export const MOST_OUTCOMES = 8192;

export interface Layout {
  readonly stopped: number; // the address where a call stopped
  readonly lineEnd: number; // the last line end that was counted
  readonly tile: number; // the address of the first byte that has a mask
  readonly masks: number;
  readonly tails: number;
  readonly labels: number; // by cell of a word, its speech
  readonly speeches: number; // by number, its voices
  readonly spoken: number; // the context words of the tile
  readonly spokenEnd: number; // where that list ends, and how far it has been followed
  readonly cursor: number;
  readonly voices: number; // by outcome, the voices that those hear who want a label
  readonly cared: number; // the voices that columns speak with
  readonly heads: number;
  readonly insides: number; // by byte, 1 if a place behind it is inside a word
  readonly byteClasses: number; // by byte, where its steps are in a row
  readonly table: number;
  readonly tableBytes: number;
  readonly rowBytes: number;
  readonly records: number;
  readonly window: number;
  readonly pages: number;
}

/** `rowBytes` and `rowCount`: of the automaton's table, as many as it may use; `speechCount`: what context words say. */
export function layoutFor(rowBytes: number, rowCount: number, speechCount: number): Layout {
  const masks = 64;
  const tails = masks + MASKS.length * MASK_SPACING;
  const labels = tails + 4096;
  const speeches = labels + 2 * LABEL_CELLS;
  const spoken = speeches + speechCount * VOICE_BYTES;
  const voices = spoken + MOST_SPOKEN * SPOKEN_BYTES;
  const heads = voices + (MOST_OUTCOMES + 1) * VOICE_BYTES;
  const insides = heads + 2 * HEADS;
  const byteClasses = insides + 256;
  const table = byteClasses + 512;
  const tableBytes = Math.min(rowBytes * rowCount, MOST_TABLE_BYTES);
  const records = align(table + tableBytes);
  const window = records + RECORDS_BYTES + MARGIN;
  const pages = Math.ceil((window + WINDOW_BYTES + MARGIN) / PAGE);
  return {
    stopped: 16,
    lineEnd: 20,
    tile: 24,
    masks,
    tails,
    labels,
    speeches,
    spoken,
    spokenEnd: 28,
    cursor: 32,
    cared: voices + MOST_OUTCOMES * VOICE_BYTES,
    voices,
    heads,
    insides,
    byteClasses,
    table,
    tableBytes,
    rowBytes,
    records,
    window,
    pages,
  };
}

function align(address: number): number {
  return Math.ceil(address / 16) * 16;
}
