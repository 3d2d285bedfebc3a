/**
 * The LZMA decoder, in WebAssembly that is assembled at start-up; .lzma, xz, 7z and zip use it.
 *
 * Format: lzma-specification.txt of the LZMA SDK.
 *
 * No library: decoding must stop and resume at any byte, keep what precedes damage, and allocate the window as it fills instead of as
 * the header claims. Native add-ons are ruled out.
 */
import type { WindowBytes, WindowMemory } from '../../../budget/window-memory.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { AT, FIELD, INPUT, INPUT_MARGIN, LITERAL_BYTES, PROBS, WINDOW_MARGIN } from './lzma-layout.ts';
import { acquireMemory, type LzmaMemory, releaseMemory } from './lzma-memory.ts';
import { ENDED, TOO_FAR } from './lzma-symbols.ts';
import { LzmaWindow } from './lzma-window.ts';

/** A probability is of a zero, in 2048ths. */
const EVEN = 1024;

/** LZMA: range-coded literals, and matches with previous output. */
export class LzmaDecoder {
  /** Whether the end marker was read. */
  ended = false;
  /** The number of input bytes consumed. */
  at = 0;
  readonly #memory: LzmaMemory = acquireMemory();
  readonly #window: LzmaWindow;
  readonly #bytes: WindowBytes;
  #probsEnd = 0;
  #isTooFar = false; // the next match; the output before it is returned first

  constructor(dictionary: number, windows: WindowMemory) {
    this.#bytes = windows.createWindow();
    this.#window = new LzmaWindow(this.#memory, dictionary);
  }

  /** Releases the memory. Neither the decoder nor its output may be used afterwards. */
  close(): void {
    this.#bytes.release(!releaseMemory(this.#memory));
  }

  /** `lc + 9 × (lp + 5 × pb)`, as every format writes it. */
  configure(properties: number): void {
    if (properties >= 9 * 5 * 5) throw new CorruptInput('lzma data');
    const positionBits = Math.floor(properties / 9) % 5;
    const literalBits = properties % 9;
    const { fields } = this.#memory;
    fields[FIELD.literalBits] = literalBits;
    fields[FIELD.literalMask] = (1 << positionBits) - 1;
    fields[FIELD.positionMask] = (1 << Math.floor(properties / 45)) - 1;
    this.#probsEnd = AT.LITERAL + (LITERAL_BYTES << (literalBits + positionBits));
    this.reset();
  }

  reset(): void {
    const { bytes, fields } = this.#memory;
    new Uint16Array(bytes.buffer, PROBS, (this.#probsEnd - PROBS) / 2).fill(EVEN);
    for (const field of [FIELD.state, FIELD.last, FIELD.second, FIELD.third, FIELD.fourth, FIELD.rest])
      fields[field] = 0;
    this.ended = false;
  }

  /** Clears the previous output. */
  resetWindow(): void {
    this.#window.reset();
  }

  /** The first five bytes of a range-coded chunk. */
  start(first: Uint8Array): void {
    if (first.length < 5) throw new CorruptInput('truncated lzma data');
    if (first[0] !== 0) throw new CorruptInput('lzma data');
    const { fields } = this.#memory;
    fields[FIELD.range] = -1;
    fields[FIELD.code] = (first[1]! << 24) | (first[2]! << 16) | (first[3]! << 8) | first[4]!;
  }

  /** At the end of a chunk the range coder must be empty, and no match may be incomplete. */
  get finished(): boolean {
    const { fields } = this.#memory;
    return fields[FIELD.code] === 0 && fields[FIELD.rest] === 0;
  }

  /** Sets the next input, at most 64 KB. Bytes after its end read as zeros; `at` reveals whether they were read. */
  feed(input: Uint8Array): void {
    const { bytes } = this.#memory;
    bytes.set(input, INPUT);
    bytes.fill(0, INPUT + input.length, INPUT + input.length + INPUT_MARGIN);
    this.at = 0;
  }

  /** Returns some of the `left` remaining bytes, decoded from symbols that begin at `last` or before. */
  async decode(last: number, left: number): Promise<Uint8Array> {
    const window = this.#window;
    if (this.#isTooFar) window.refuse(this.#memory.fields[FIELD.last]! >>> 0);
    if (window.needed !== null) await this.#grow(window.needed);
    const end = window.room(left);
    const { fields, functions } = this.#memory;
    this.#copyRest(end);
    fields[FIELD.at] = INPUT + this.at;
    fields[FIELD.out] = window.at;
    const stopped = functions.decode(INPUT + last, end, window.reach, window.size);
    this.#isTooFar = stopped === TOO_FAR;
    this.ended = stopped === ENDED;
    this.at = fields[FIELD.at]! - INPUT;
    window.at = fields[FIELD.out]!;
    return window.take();
  }

  /** Bytes that are not compressed: as many as there is room for. */
  async store(bytes: Uint8Array): Promise<Uint8Array> {
    const window = this.#window;
    if (window.needed !== null) await this.#grow(window.needed);
    window.store(bytes);
    return window.take();
  }

  /** The margin is not counted: a dictionary that is as large as the limit fits. */
  async #grow(needed: number): Promise<void> {
    if (await this.#bytes.grow(needed - WINDOW_MARGIN)) this.#window.grow();
    else this.#window.stopGrowing();
  }

  /** Of a match that did not fit before. */
  #copyRest(end: number): void {
    const { fields, functions } = this.#memory;
    const window = this.#window;
    const rest = fields[FIELD.rest]!;
    if (rest === 0) return;
    const now = Math.min(rest, end - window.at);
    fields[FIELD.rest] = rest - now;
    functions.copy(fields[FIELD.last]!, now, window.at, window.size);
    window.at += now;
  }
}
