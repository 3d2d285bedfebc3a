/**
 * Reads the cells of a table while its text is scanned: RFC 4180 with any delimiter, or lines without quotes. Works on the bytes of a
 * window and keeps only the state of the current cell, so cells may be of any length.
 */
import { NEWLINE } from '../bytes.ts';

const QUOTE = 0x22;
const CR = 0x0d;
/** A quote that is not closed within this many bytes is an ordinary character: the table goes on at the next line. */
const MAX_QUOTED = 64 * 1024;

const PLAIN = 0;
const QUOTED = 1;
/** After a quote in a quoted cell: the end of the cell, or the first of two. */
const CLOSING = 2;

export interface RowFormat {
  readonly delimiter: number;
  /** Whether cells may be quoted. */
  readonly quoted: boolean;
}

/** `start` and `end` without quotes and line ends, as offsets of the text; `from`: the first byte that belongs to the cell. */
export type OnCell = (row: number, column: number, from: number, start: number, end: number) => void;

export class RowReader {
  readonly #delimiter: number;
  readonly #quoted: boolean;
  readonly #onCell: OnCell;
  #state = PLAIN;
  #wasQuoted = false;
  #from: number;
  #column = 0;
  #row = 0;
  /** In the middle of a text the first line is skipped: its row began before. */
  #synchronized: boolean;
  /** The end of what was read. */
  at: number;

  constructor({ delimiter, quoted }: RowFormat, onCell: OnCell, offset = 0) {
    this.#delimiter = delimiter;
    this.#quoted = quoted;
    this.#onCell = onCell;
    this.#from = this.at = offset;
    this.#synchronized = offset === 0;
  }

  get column(): number {
    return this.#column;
  }

  /** The start of the cell that is being read. */
  get from(): number {
    return this.#from;
  }

  /** Reads on to `to`; positions of the window, whose first byte is at `origin` of the text. */
  read(window: Uint8Array, to: number, origin: number): void {
    if (!this.#synchronized) this.#synchronize(window, to, origin);
    const delimiter = this.#delimiter;
    for (let i = this.at - origin; i < to; i++) {
      if (this.#state === PLAIN) {
        if (window[i] === QUOTE && this.#quoted && i + origin === this.#from) this.#openQuote();
        else {
          while (i < to && window[i] !== delimiter && window[i] !== NEWLINE) i++;
          if (i < to) this.#endCell(window, i, origin, window[i] === NEWLINE);
        }
      } else if (this.#state === QUOTED) i = this.#inQuotes(window, i, to, origin);
      else this.#afterQuote(window, i, origin);
    }
    this.at = Math.max(this.at, to + origin);
  }

  #openQuote(): void {
    this.#state = QUOTED;
    this.#wasQuoted = true;
  }

  /** The last byte that was read. */
  #inQuotes(window: Uint8Array, from: number, to: number, origin: number): number {
    const limit = this.#from + MAX_QUOTED;
    let i = from;
    while (i < to && window[i] !== QUOTE && !(window[i] === NEWLINE && i + origin > limit)) i++;
    if (i < to && window[i] === QUOTE) this.#state = CLOSING;
    else if (i < to) this.#endCell(window, i, origin, true);
    return i;
  }

  /** What follows a closing quote and is no delimiter belongs to the cell. */
  #afterQuote(window: Uint8Array, at: number, origin: number): void {
    const byte = window[at]!;
    if (byte === QUOTE) this.#state = QUOTED;
    else if (byte === this.#delimiter || byte === NEWLINE)
      this.#endCell(window, at, origin, byte === NEWLINE);
  }

  /** The text has ended. */
  end(window: Uint8Array, to: number, origin: number): void {
    this.read(window, to, origin);
    if (this.#synchronized && (this.#column > 0 || this.at > this.#from))
      this.#endCell(window, to, origin, true);
  }

  #endCell(window: Uint8Array, at: number, origin: number, ofRow: boolean): void {
    let end = at;
    if (ofRow && window[end - 1] === CR && end - 1 + origin >= this.#from) end--;
    const start = this.#from + (this.#wasQuoted ? 1 : 0);
    if (this.#wasQuoted && window[end - 1] === QUOTE && end - 1 + origin >= start) end--;
    this.#onCell(this.#row, this.#column, this.#from, start, end + origin);
    this.#from = at + 1 + origin;
    this.#state = PLAIN;
    this.#wasQuoted = false;
    this.#column = ofRow ? 0 : this.#column + 1;
    if (ofRow) this.#row++;
  }

  /** Goes to the start of the first whole row, by the first quote that can only open or only close a cell. */
  #synchronize(window: Uint8Array, to: number, origin: number): void {
    const start = this.at - origin;
    let quoted = this.#quoted && beginsQuoted(window, start, to, this.#delimiter);
    for (let i = start; i < to; i++) {
      if (window[i] === QUOTE && this.#quoted) quoted = !quoted;
      if (window[i] !== NEWLINE || quoted) continue;
      this.#synchronized = true;
      this.#row = 1;
      this.#from = this.at = i + 1 + origin;
      return;
    }
    this.#from = this.at = to + origin;
  }
}

function beginsQuoted(window: Uint8Array, start: number, to: number, delimiter: number): boolean {
  let toggles = 0;
  for (let i = start; i < to; i++) {
    if (window[i] !== QUOTE) continue;
    const [before, after] = [window[i - 1], window[i + 1]];
    const opens = i > start && (before === delimiter || before === NEWLINE);
    const closes = after === delimiter || after === NEWLINE || after === CR;
    if (opens !== closes && before !== QUOTE && after !== QUOTE)
      return opens ? toggles % 2 === 1 : toggles % 2 === 0;
    toggles++;
  }
  return false;
}
