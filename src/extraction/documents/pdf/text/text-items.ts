/**
 * Joins the glyphs of a page to text items, by the same rules as the library, which is far slower because it recomputes its matrices for
 * each glyph.
 */
import { DRAWN, type Glyph, INVISIBLE, OVER, WHITE } from './font-glyphs.ts';
import { gapOf } from './letter-spacing.ts';
import type { TextItem } from './text-item.ts';
import { across, along, turnOf, xOf, yOf } from './text-position.ts';
import { product, type TextState } from './text-state.ts';

/** Something that only the library can read. */
export class FastPathUnsupported extends Error {}

// In sizes of the font.
const MIN_SPACE = 0.102;
const MAX_SPACE = 0.6;
const NO_SPACE = 0.03;
const BACKWARD = -0.2;

const MIN_TOGETHER = 2;

export interface ItemSink {
  /** Maximum number of characters. */
  readonly max: number;
  item(item: TextItem): void;
  /** Makes known characters of other ways of writing, and their direction. */
  finish(text: string): { str: string; dir: string };
}

export class TextItems {
  readonly #sink: ItemSink;
  readonly #box: readonly number[];
  /** Items are of one font and one size. */
  #font: Pick<TextState, 'font' | 'fontName' | 'fontSize'>;
  /** The item that is being written. */
  #isOpen = false;
  #text = '';
  #transform: readonly number[] = [];
  #width = 0;
  #wholeWidth = 0;
  #height = 0;
  #scale = 0;
  #size = 0;
  /** Of the text that is drawn: on the paper, and by itself. */
  #shape: readonly number[] = [];
  #own: readonly number[] = [];
  #paper: readonly number[] | null = null;
  /** Where the character before ended, on the paper and turned like it. */
  #last: readonly number[] | null = null;
  #lastX = 0;
  #lastY = 0;
  #lastRise = 0;
  /** The last two characters were not a space, and whether they were one. */
  #older = true;
  #newer = true;
  /** A space was drawn since the last character. */
  #blank = false;
  /** Of the blanks of the text, in heights of it. */
  #gaps: number[] = [];

  /** `box`: of the page; `state`: in which it begins. */
  constructor(sink: ItemSink, box: readonly number[], { font, fontName, fontSize }: TextState) {
    this.#sink = sink;
    this.#box = box;
    this.#font = { font, fontName, fontSize };
  }

  /** Called when the text matrix changes. */
  rescale(state: TextState): void {
    if (!this.#isOpen || state.scale === this.#scale) return;
    this.#wholeWidth += this.#width * this.#scale;
    this.#width = 0;
    this.#scale = state.scale;
  }

  /** `after`: the space added after each glyph. */
  show(state: TextState, codes: string, after: number): void {
    this.#followFont(state);
    const { font, characterSpacing, horizontalScale } = state;
    if (codes !== '') this.#showGlyphs(state, font!.of(codes), after);
    else if (characterSpacing + after !== 0) state.advance((characterSpacing + after) * horizontalScale);
  }

  #showGlyphs(state: TextState, glyphs: readonly Glyph[], after: number): void {
    const { characterSpacing, wordSpacing, horizontalScale } = state;
    const unit = state.font!.unit * state.fontSize;
    const shape = this.#shapeOf(state);
    // The glyph directly follows the previous one, which is the usual case and avoids computing its position.
    let follows = false;
    for (let i = 0; i < glyphs.length; i++) {
      const end = follows && characterSpacing === 0 ? this.#showTogether(state, glyphs, i, after) : i;
      if (end > i) {
        i = end - 1;
        continue;
      }
      const { kind, text, width, isSpace } = glyphs[i]!;
      if (kind === INVISIBLE) continue;
      let free = characterSpacing + (i + 1 === glyphs.length ? after : 0);
      if (isSpace) free += wordSpacing;
      let wide = width * unit;
      if (kind === WHITE) {
        follows = false;
        state.advance((free + wide) * horizontalScale);
        this.#older = this.#newer;
        this.#newer = true;
        this.#blank = true;
        continue;
      }
      if (kind !== OVER && !this.#advanceTo(state, shape, wide, follows)) {
        follows = false;
        state.advance(wide * horizontalScale);
        continue;
      }
      if (!this.#isOpen) this.#open(state, shape);
      wide = kind === OVER ? 0 : wide * horizontalScale;
      state.advance(wide);
      this.#width += wide;
      follows = !!wide && !free;
      if (wide) this.#remember(state, shape);
      if (!this.#older && this.#newer) this.#space(0);
      this.#blank = false;
      this.#older = this.#newer;
      this.#newer = text === ' ';
      this.#text += text;
      // One code may represent many characters, so a page of a few bytes could become one item of gigabytes.
      if (this.#text.length > this.#sink.max) this.flush();
      if (free) state.advance(free * horizontalScale);
    }
  }

  /** Fast path for glyphs that directly follow each other, up to the next space. Returns the index where it stopped. */
  #showTogether(state: TextState, glyphs: readonly Glyph[], from: number, after: number): number {
    if (!this.#isOpen || this.#newer) return from;
    const last = after === 0 ? glyphs.length : glyphs.length - 1;
    let word = '';
    let width = 0;
    let at = from;
    for (; at < last; at++) {
      const glyph = glyphs[at]!;
      if (glyph.kind !== DRAWN || glyph.isSpace || glyph.width === 0 || glyph.text === ' ') break;
      word += glyph.text;
      width += glyph.width;
    }
    const wide = width * state.font!.unit * state.fontSize * state.horizontalScale;
    if (at - from < MIN_TOGETHER || !this.#isOnPage(state, wide)) return from;
    state.advance(wide);
    this.#width += wide;
    this.#lastX = xOf(state);
    this.#lastY = yOf(state);
    this.#older = false;
    this.#text += word;
    if (this.#text.length > this.#sink.max) this.flush();
    return at;
  }

  /** Whether the end of the last glyph, plus `wide`, is on the page. */
  #isOnPage({ paper, text }: TextState, wide: number): boolean {
    const box = this.#box;
    const [x, y] = [this.#lastX, this.#lastY];
    const endX = x + (paper[0]! * text[0]! + paper[2]! * text[1]!) * wide;
    const endY = y + (paper[1]! * text[0]! + paper[3]! * text[1]!) * wide;
    const isWide = Math.min(x, endX) >= box[0]! && Math.max(x, endX) <= box[2]!;
    return isWide && Math.min(y, endY) >= box[1]! && Math.max(y, endY) <= box[3]!;
  }

  /** Ends the item that is being written. */
  flush(endsLine = false): void {
    if (!this.#isOpen) return;
    this.#wholeWidth += this.#width * this.#scale;
    this.#sink.item({
      ...this.#sink.finish(this.#text),
      width: Math.abs(this.#wholeWidth),
      height: Math.abs(this.#height),
      transform: this.#transform,
      hasEOL: endsLine,
      gaps: this.#gaps,
    });
    this.#isOpen = false;
    this.#text = '';
    if (this.#gaps.length > 0) this.#gaps = [];
  }

  #followFont({ font, fontName, fontSize }: TextState): void {
    const before = this.#font;
    if (font === null || font.font.vertical) throw new FastPathUnsupported();
    if (before.fontSize === fontSize && before.fontName === fontName) return;
    if (before.fontSize === fontSize) {
      if (before.font === null) throw new FastPathUnsupported();
      if (before.font.font.name === font.font.name) return;
    }
    this.flush();
    this.#font = { font, fontName, fontSize };
  }

  #open(state: TextState, shape: readonly number[]): void {
    const [x, y] = [xOf(state), yOf(state)];
    this.#transform = [shape[0]!, shape[1]!, shape[2]!, shape[3]!, x, y];
    this.#width = 0;
    this.#wholeWidth = 0;
    this.#height = Math.hypot(shape[2]!, shape[3]!);
    this.#scale = state.scale;
    this.#size = state.fontSize;
    this.#isOpen = true;
  }

  #remember(state: TextState, shape: readonly number[]): void {
    this.#last = shape;
    this.#lastX = xOf(state);
    this.#lastY = yOf(state);
    this.#lastRise = state.rise;
  }

  /** How a text of this state is turned and scaled on the paper. Mostly like the text before it. */
  #shapeOf({ paper, text, fontSize, horizontalScale, font }: TextState): readonly number[] {
    const wide = fontSize * horizontalScale;
    const high = font!.heightAt(fontSize);
    const [a, b, c, d] = [text[0]! * wide, text[1]! * wide, text[2]! * high, text[3]! * high];
    const own = this.#own;
    if (paper !== this.#paper || a !== own[0] || b !== own[1] || c !== own[2] || d !== own[3]) {
      this.#paper = paper;
      this.#own = [a, b, c, d, 0, 0];
      this.#shape = product(paper, this.#own);
    }
    return this.#shape;
  }

  /** False: it is not on the page. */
  #advanceTo(state: TextState, shape: readonly number[], wide: number, follows: boolean): boolean {
    const x = follows ? this.#lastX : xOf(state);
    const y = follows ? this.#lastY : yOf(state);
    const box = this.#box;
    if (x + wide < box[0]! || x > box[2]! || y < box[1]! || y > box[3]!) return false;
    if (this.#last !== null && (x !== this.#lastX || y !== this.#lastY)) this.#move(state, shape, x, y);
    return true;
  }

  #move(state: TextState, shape: readonly number[], x: number, y: number): void {
    const turn = turnOf(shape);
    const before = this.#last!;
    const gap = (along(turn, x, y, shape) - along(turn, this.#lastX, this.#lastY, before)) / this.#scale;
    const up = across(turn, x, y, shape) - across(turn, this.#lastX, this.#lastY, before);
    const sign = Math.sign(this.#width || this.#wholeWidth);
    if (gap < sign * BACKWARD * this.#size) this.#goBack(up);
    else {
      const rise = state.rise - this.#lastRise;
      const moved = rise === 0 ? up : up - (shape[3]! / state.fontSize) * rise;
      if (Math.abs(moved) > this.#height) this.#endLine();
      else this.#continueLine(gap, up, sign);
    }
  }

  #goBack(up: number): void {
    if (Math.abs(up) > 0.5 * this.#height) this.#endLine();
    else {
      this.#forget();
      this.flush();
    }
  }

  #continueLine(gap: number, up: number, sign: number): void {
    const size = this.#size;
    if (gap <= sign * NO_SPACE * size) this.#forget();
    if (gap <= sign * MIN_SPACE * size) {
      if (!this.#older && this.#newer) this.#part();
      else this.#width += gap;
    } else if (sign * MIN_SPACE * size <= gap && gap <= sign * MAX_SPACE * size && this.#isOpen) {
      this.#forget();
      this.#space(gap);
      this.#width += gap;
    } else this.#part();
    if (Math.abs(up) > 0.25 * this.#height) this.flush();
  }

  #part(): void {
    this.#forget();
    this.flush();
    const gaps = [gapOf(0, this.#blank)];
    this.#sink.item({ str: ' ', dir: 'ltr', width: 0, height: 0, hasEOL: false, gaps });
  }

  #space(gap: number): void {
    const wide = Math.abs(gap * this.#scale) / this.#height;
    this.#text += ' ';
    this.#gaps.push(gapOf(wide, this.#blank));
  }

  #endLine(): void {
    this.#forget();
    if (this.#isOpen) this.flush(true);
    else this.#sink.item({ str: '', dir: 'ltr', width: 0, height: 0, hasEOL: true });
  }

  #forget(): void {
    this.#older = true;
    this.#newer = true;
  }
}
