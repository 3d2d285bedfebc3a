import { decoderOf } from '../../code-page.ts';
import { codePageOfCharset } from '../../rtf/rtf-words.ts';
import type { TextRun } from './text-run.ts';

/** The known properties of a font: the height of its letters, and its charset. */
export interface Font {
  readonly height: number;
  readonly charset: number;
}

interface State {
  readonly font: Font;
  readonly align: number;
  readonly mapping: number;
  readonly x: number;
  readonly y: number;
}

const NO_FONT: Font = { height: 0, charset: 0 };
const WESTERN = 1252;
const AT_POSITION = 1;
const RIGHT = 2;
const CENTRE = 6;
const MAX_SAVED = 256;

/** The device context, as far as it affects texts and their positions. */
export class Device {
  #state: State = { font: NO_FONT, align: 0, mapping: 0, x: 0, y: 0 };
  readonly #saved: State[] = [];
  #mappings = 0;

  /** Letters of one byte, or of one or two, as the font has them. */
  decode(bytes: Uint8Array): string {
    return decoderOf(codePageOfCharset(this.#state.font.charset) ?? WESTERN).decode(bytes);
  }

  use(font: Font): void {
    this.#state = { ...this.#state, font };
  }

  align(align: number): void {
    this.#state = { ...this.#state, align };
  }

  moveTo(x: number, y: number): void {
    this.#state = { ...this.#state, x, y };
  }

  /** Called when the mapping of coordinates changes. */
  remap(): void {
    this.#state = { ...this.#state, mapping: ++this.#mappings };
  }

  save(): void {
    if (this.#saved.length === MAX_SAVED) this.#saved.shift();
    this.#saved.push(this.#state);
  }

  /** Negative: relative to the current state; else the index of a saved state. */
  restore(which: number): void {
    const index = which < 0 ? this.#saved.length + which : which - 1;
    const state = this.#saved[index];
    if (state === undefined) return;
    this.#saved.length = index;
    this.#state = state;
  }

  draw(said: string, atX: number, atY: number, advance: number | null): TextRun {
    const { font, align, mapping } = this.#state;
    const text = said.replace(/\p{Cc}/gu, ' ');
    const wide = advance ?? 0;
    const em = Math.abs(font.height) || (2 * wide) / (text.length || 1);
    if ((align & AT_POSITION) === 0)
      return { text, x: atX - before(align, wide), y: atY, advance, em, mapping };
    const { x, y } = this.#state;
    this.moveTo(x + wide, y);
    return { text, x, y, advance, em, mapping };
  }
}

/** The part of a text's width to the left of its reference point. */
function before(align: number, wide: number): number {
  if ((align & CENTRE) === CENTRE) return wide / 2;
  return (align & RIGHT) === 0 ? 0 : wide;
}
