/**
 * How many values the columns of a table have, or the keys of JSON records. To look at every cell would take as long as detection,
 * so the values of one block in sixteen are counted, at fixed offsets of the text: the same ones however the bytes arrive.
 */
import type { TextPart } from '../../extraction/extraction.ts';
import { countCells } from './count-cells.ts';
import { countKeys } from './count-keys.ts';

/** A block fits into what a step of a huge object reads behind its end. */
const BLOCK_BYTES = 32 * 1024;
const BLOCK_INTERVAL_BYTES = 16 * BLOCK_BYTES;
/** Keys may come from the data. */
const MAX_COLUMNS = 1000;

/** A stretch of a text, in its offsets: the first byte that comes is that at `offset`, what begins in `[from, to)` counts. */
export interface TextWindow {
  readonly offset: number;
  readonly from: number;
  readonly to: number;
}

export const WHOLE_TEXT: TextWindow = { offset: 0, from: 0, to: Number.POSITIVE_INFINITY };

/** Whether what stands there is among what is counted. */
export function isSampled(offset: number): boolean {
  return offset % BLOCK_INTERVAL_BYTES < BLOCK_BYTES;
}

export function hasColumns({ format, fieldScope }: TextPart): boolean {
  return fieldScope === 'columns' || format === 'json' || format === 'ndjson';
}

export class ValueSampler {
  readonly #block = Buffer.alloc(BLOCK_BYTES);
  #length = 0; // of the block that is being filled
  #first = false; // it is the text's first one
  #at = 0;
  #window = WHOLE_TEXT;
  #part: TextPart | null = null;
  values = new Map<string, number>();

  /** Null: a text without columns. */
  begin(part: TextPart | null, stretch: TextWindow): void {
    this.#part = part;
    this.#window = stretch;
    this.#at = stretch.offset;
    this.#length = 0;
    this.values = new Map();
  }

  push(bytes: Uint8Array): void {
    if (this.#part === null) return;
    for (let from = 0; from < bytes.length; ) {
      const place = (this.#at + from) % BLOCK_INTERVAL_BYTES;
      if (place < BLOCK_BYTES)
        this.#fill(place, bytes.subarray(from, from + BLOCK_BYTES - place), this.#at + from);
      from += (place < BLOCK_BYTES ? BLOCK_BYTES : BLOCK_INTERVAL_BYTES) - place;
    }
    this.#at += bytes.length;
  }

  /** Of small texts in which nothing was found nothing needs to be counted. */
  end(wanted: boolean): void {
    if (wanted) this.#count();
    this.#part = null;
  }

  #fill(place: number, piece: Uint8Array, at: number): void {
    const { from, to } = this.#window;
    // A block belongs to the stretch that it begins in.
    if (place !== this.#length || at - place < from || at - place >= to) return;
    this.#block.set(piece, place);
    this.#length = place + piece.length;
    this.#first = at === place;
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
