/** Where things are in the kernel's memory, for so many tables of pairs and so many literals. */
import { LABEL_CELLS } from './labels.ts';
import { HEADS, LITERAL_BYTES } from './literals.ts';
import { MASK_SPACING, MASKS } from './mask-pass.ts';
import { GROUPS } from './naming.ts';

export const RECORD_BYTES = 8; // where, which filter
export const PAIR_TABLE_BYTES = 8192;
/** Bytes of text in the window, and zeros behind it for whole vectors. */
export const WINDOW_BYTES: number = 384 * 1024;
const MARGIN = 16 * 1024;
const PAGE = 65536;
/** A call ends when the records are this near to their end: one step writes less. */
export const RECORDS_BYTES: number = 512 * 1024;

export interface Layout {
  readonly stopped: number; // the address where a call stopped
  readonly lineEnd: number; // the last line end that was counted
  readonly tile: number; // the address of the first byte that has a mask
  readonly masks: number;
  readonly groups: number; // masks of what context words speak to
  readonly tails: number;
  readonly labels: number;
  readonly heads: number;
  readonly literals: number;
  readonly pairs: number;
  readonly records: number;
  readonly window: number;
  readonly pages: number;
}

export function layoutFor(pairTables: number, literalCount: number): Layout {
  const masks = 64;
  const groups = masks + MASKS.length * MASK_SPACING;
  const tails = groups + GROUPS * MASK_SPACING;
  const labels = tails + 4096;
  const heads = labels + LABEL_CELLS;
  const literals = heads + HEADS * 2;
  const pairs = literals + literalCount * LITERAL_BYTES;
  const records = pairs + pairTables * PAIR_TABLE_BYTES;
  const window = records + RECORDS_BYTES + MARGIN;
  const pages = Math.ceil((window + WINDOW_BYTES + MARGIN) / PAGE);
  return {
    stopped: 16,
    lineEnd: 20,
    tile: 24,
    masks,
    groups,
    tails,
    labels,
    heads,
    literals,
    pairs,
    records,
    window,
    pages,
  };
}
