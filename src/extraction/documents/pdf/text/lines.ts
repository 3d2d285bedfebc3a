/**
 * Arranges a page's text in lines. The library yields text items in drawing order, with their positions: usually, but not always, the
 * reading order. Labels are often drawn first, and the values later; so items on the same line of the page are joined in their order on
 * the page, unless they are columns of running text.
 */

import { GlyphRun } from './glyph-run.ts';
import { replacementItems } from './replacement-text.ts';
import { Row } from './row.ts';
import { positionOf, type TextItem } from './text-item.ts';

export interface PageText {
  readonly lines: readonly string[];
  /** Spaces not counted. If there are hardly any, the page may be a picture. */
  readonly characters: number;
  /** Those without a Unicode mapping: their font defines only their appearance. */
  readonly unknown: number;
  /** There is more. */
  readonly cut: boolean;
}

/** A part of the page with replacement text. */
interface MarkedPart {
  readonly meant: string;
  readonly depth: number;
  readonly items: TextItem[];
}

/** Rows are indexed by their height on the page, in bands of this many units. */
const BAND = 4;
const MAX_ROWS_ASKED = 4;
const SPACE = 0x20;

export class PageLines {
  readonly #rows: Row[] = [];
  readonly #bands = new Map<number, Row[]>();
  #open: GlyphRun | null = null;
  #spaced = false;
  /** By a space that is drawn. */
  #parted = false;
  #depth = 0;
  #part: MarkedPart | null = null;
  #characters = 0;
  #unknown = 0;

  add(item: TextItem): void {
    if (this.#part === null) this.#add(item);
    else this.#part.items.push(item);
  }

  /** A marked part of the page begins. `meant`: its replacement text. */
  mark(meant: string | null): void {
    this.#depth++;
    if (meant !== null) this.#part ??= { meant, depth: this.#depth, items: [] };
  }

  /** The part that began last ends. */
  unmark(): void {
    if (this.#depth === this.#part?.depth) this.#endPart(this.#part);
    if (this.#depth > 0) this.#depth--;
  }

  #endPart({ meant, items }: MarkedPart): void {
    this.#part = null;
    const all = replacementItems(meant, items);
    if (all === null) this.addAlone(meant);
    for (const item of all ?? items) this.#add(item);
  }

  #add(item: TextItem): void {
    if (item.str.trim() === '') this.#skip(item);
    else this.#draw(item);
    if (item.hasEOL) this.#close();
  }

  /** A text that belongs to no line. */
  addAlone(text: string): void {
    this.#close();
    this.#count(text);
    this.#rows.push(
      new Row(new GlyphRun({ str: text }, { start: 0, end: 0, base: Number.NaN, height: 1, turn: 0 }, false)),
    );
  }

  /** No more after this. `cut`: there would have been more. */
  text(cut: boolean): PageText {
    if (this.#part !== null) this.#endPart(this.#part);
    this.#close();
    const lines = this.#rows.flatMap((row) => row.texts());
    return { lines, characters: this.#characters, unknown: this.#unknown, cut };
  }

  #skip({ str, gaps }: TextItem): void {
    this.#spaced ||= str !== '';
    this.#parted ||= gaps !== undefined && gaps[0]! < 0;
  }

  #draw(item: TextItem): void {
    const position = positionOf(item);
    const rightToLeft = item.dir === 'rtl';
    this.#count(item.str);
    if (this.#open !== null && !rightToLeft && this.#open.isContinuedAt(position)) {
      this.#open.append(item, position, this.#parted ? 'drawn' : this.#spaced ? 'seen' : 'none');
    } else {
      this.#close();
      this.#open = new GlyphRun(item, position, rightToLeft);
    }
    this.#spaced = false;
    this.#parted = false;
    if (rightToLeft) this.#close();
  }

  #close(): void {
    const run = this.#open;
    this.#open = null;
    this.#spaced = false;
    this.#parted = false;
    if (run === null) return;
    const band = Math.round(run.base / BAND);
    for (const near of [band, band - 1, band + 1]) {
      const rows = this.#bands.get(near)?.slice(-MAX_ROWS_ASKED) ?? [];
      if (rows.some((row) => row.take(run))) return;
    }
    const row = new Row(run);
    this.#rows.push(row);
    const others = this.#bands.get(band);
    if (others === undefined) this.#bands.set(band, [row]);
    else others.push(row);
  }

  #count(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code !== SPACE) this.#characters++;
      if (code < SPACE) this.#unknown++;
    }
  }
}
