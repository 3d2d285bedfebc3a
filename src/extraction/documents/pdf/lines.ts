/**
 * A page's text in lines. The library tells pieces of text in the order in which they are drawn, with their places:
 * mostly, but not always, the order of reading. Labels are often drawn first, and later what is filled in; so pieces on
 * one line of the paper are put together, in their order on paper, unless they are columns of running text.
 */
import { Row } from './row.ts';
import { type Place, Stretch } from './stretch.ts';

export interface TextItem {
  readonly str: string;
  readonly dir: string;
  /** None in forms of XFA. */
  readonly transform?: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
}

/** Rows are looked for by height on the paper, in bands of this many units. */
const BAND = 4;
const MOST_ROWS_ASKED = 4;

export class PageLines {
  readonly #rows: Row[] = [];
  readonly #bands = new Map<number, Row[]>();
  #open: Stretch | null = null;
  #spaced = false;
  /** Spaces not counted. If there are hardly any, the page may be a picture. */
  characters = 0;

  add(item: TextItem): void {
    const text = item.str;
    const blank = text.trim() === '';
    if (blank) this.#spaced ||= text !== '';
    else this.#draw(item);
    if (item.hasEOL) this.#close();
  }

  /** A text that belongs to no line. */
  addAlone(text: string): void {
    this.#close();
    this.#count(text);
    this.#rows.push(
      new Row(new Stretch(text, { start: 0, end: 0, base: Number.NaN, height: 1, turn: 0 }, false)),
    );
  }

  /** No more after this. */
  *lines(): Generator<string> {
    this.#close();
    for (const row of this.#rows) yield row.text();
  }

  #draw(item: TextItem): void {
    const place = placeOf(item);
    const rightToLeft = item.dir === 'rtl';
    this.#count(item.str);
    if (this.#open !== null && !rightToLeft && this.#open.isContinuedAt(place)) {
      this.#open.append(item.str, place, this.#spaced);
    } else {
      this.#close();
      this.#open = new Stretch(item.str, place, rightToLeft);
    }
    this.#spaced = false;
    if (rightToLeft) this.#close();
  }

  #close(): void {
    const stretch = this.#open;
    this.#open = null;
    this.#spaced = false;
    if (stretch === null) return;
    const band = Math.round(stretch.base / BAND);
    for (const near of [band, band - 1, band + 1]) {
      const rows = this.#bands.get(near)?.slice(-MOST_ROWS_ASKED) ?? [];
      if (rows.some((row) => row.take(stretch))) return;
    }
    const row = new Row(stretch);
    this.#rows.push(row);
    const others = this.#bands.get(band);
    if (others === undefined) this.#bands.set(band, [row]);
    else others.push(row);
  }

  #count(text: string): void {
    for (const character of text) if (character !== ' ') this.characters++;
  }
}

function placeOf({ transform, width, height }: TextItem): Place {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform ?? [];
  const size = Math.hypot(a, b) || 1;
  const start = (a * x + b * y) / size;
  const turn = Math.round((Math.atan2(b, a) * 180) / Math.PI);
  return {
    start,
    end: start + width,
    base: (a * y - b * x) / size,
    height: height || Math.hypot(c, d) || 1,
    turn,
  };
}
