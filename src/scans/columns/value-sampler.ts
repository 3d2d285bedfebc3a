/**
 * Estimates how many values the columns of a table have, or the keys of JSON records. Reading every cell
 * would take as long as detection, so only one block in sixteen is counted, at fixed offsets of the text:
 * the sample does not depend on the chunking.
 */
import type { TextPart } from '../../extraction/extraction.ts';
import { countCells } from './count-cells.ts';
import { countKeys } from './count-keys.ts';

/** A block fits into the lookahead of a segment chunk. */
const BLOCK_BYTES = 32 * 1024;
const BLOCK_INTERVAL_BYTES = 16 * BLOCK_BYTES;
/** Bounded, because keys may come from the data. */
const MAX_COLUMNS = 1000;

/**
 * A window of a text, in its offsets: the first byte pushed is at `offset`, and what starts in `[from, to)`
 * counts.
 */
export interface TextWindow {
  readonly offset: number;
  readonly from: number;
  readonly to: number;
}

export const WHOLE_TEXT: TextWindow = { offset: 0, from: 0, to: Number.POSITIVE_INFINITY };

/** Whether this offset is in a sampled block. */
export function isSampled(offset: number): boolean {
  return offset % BLOCK_INTERVAL_BYTES < BLOCK_BYTES;
}

export function hasColumns({ format, fieldScope }: TextPart): boolean {
  return fieldScope === 'columns' || format === 'json' || format === 'ndjson';
}

export class ValueSampler {
  readonly #block = Buffer.alloc(BLOCK_BYTES);
  #length = 0; // of the current block
  #first = false; // the current block is the first of the text
  #at = 0;
  #window = WHOLE_TEXT;
  #part: TextPart | null = null;
  values = new Map<string, number>();

  /** Null: a text without columns. */
  begin(part: TextPart | null, window: TextWindow): void {
    this.#part = part;
    this.#window = window;
    this.#at = window.offset;
    this.#length = 0;
    this.values = new Map();
  }

  push(bytes: Uint8Array): void {
    if (this.#part === null) return;
    for (let from = 0; from < bytes.length; ) {
      const blockOffset = (this.#at + from) % BLOCK_INTERVAL_BYTES;
      if (blockOffset < BLOCK_BYTES)
        this.#fill(blockOffset, bytes.subarray(from, from + BLOCK_BYTES - blockOffset), this.#at + from);
      from += (blockOffset < BLOCK_BYTES ? BLOCK_BYTES : BLOCK_INTERVAL_BYTES) - blockOffset;
    }
    this.#at += bytes.length;
  }

  /** Small texts without findings need not be counted. */
  end(isNeeded: boolean): void {
    if (isNeeded) this.#count();
    this.#part = null;
  }

  #fill(blockOffset: number, chunk: Uint8Array, at: number): void {
    const { from, to } = this.#window;
    // A block belongs to the window that it starts in.
    if (blockOffset !== this.#length || at - blockOffset < from || at - blockOffset >= to) return;
    this.#block.set(chunk, blockOffset);
    this.#length = blockOffset + chunk.length;
    this.#first = at === blockOffset;
    if (this.#length === BLOCK_BYTES) this.#count();
  }

  #count(): void {
    if (this.#length === 0) return;
    const bytes = this.#block.subarray(0, this.#length);
    const { columns, delimiter, grid } = this.#part!;
    const add = (name: string) => this.#add(name);
    if (columns && delimiter !== undefined)
      countCells(bytes, delimiter, columns, add, this.#first && grid?.cells === 'rows');
    else countKeys(bytes, add);
    this.#length = 0;
  }

  #add(name: string): void {
    const count = this.values.get(name) ?? 0;
    if (count > 0 || this.values.size < MAX_COLUMNS) this.values.set(name, count + 1);
  }
}
