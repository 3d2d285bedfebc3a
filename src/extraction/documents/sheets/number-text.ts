import { cellText } from '../../grid.ts';
import { digitsInPattern, type NumberFormat } from './number-format.ts';

const DAY = 86_400;
/** The day that is number 0, counted from 1970. */
const ZERO_1900 = -25_569;
const ZERO_1904 = -24_107;
const LAST_DAY = 2_958_465; // of the year 9999
/** Up to here the digits are as they were entered; beyond, they show how the number is stored. */
const EXACT_DIGITS = 15;
const MAX_KNOWN = 20_000;
const POINT = 0x2e;
const MINUS = 0x2d;

/** Numbers of a sheet as text: dates as dates, long ones with all their digits. */
export class NumberText {
  readonly #from1904: boolean;
  readonly #days = new Map<number, string>();

  constructor(from1904: boolean) {
    this.#from1904 = from1904;
  }

  text(raw: string, format: NumberFormat): string {
    if (format === 'as it is' && isShortDecimal(raw)) return raw;
    const value = Number(raw);
    if (Number.isNaN(value) || raw.charCodeAt(0) <= 0x20) return cellText(raw.trim());
    return this.#shown(value, format) ?? plainNumber(raw, value);
  }

  /** Of a number that never was text: its last digits are noise. */
  ofNumber(value: number, format: NumberFormat): string {
    const shown = this.#shown(value, format);
    if (shown !== null) return shown;
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(EXACT_DIGITS)));
  }

  /** null: as it is. */
  #shown(value: number, format: NumberFormat): string | null {
    if (format === 'as it is') return null;
    return typeof format === 'string' ? this.#moment(value, format) : digitsInPattern(value, format);
  }

  /** null: before or after all days. */
  #moment(value: number, format: 'date' | 'time' | 'date and time'): string | null {
    if (!(value >= 0 && value < LAST_DAY + 1)) return null;
    let day = Math.floor(value);
    let second = Math.round((value - day) * DAY);
    if (second === DAY) {
      day++;
      second = 0;
    }
    if (format === 'time' && day === 0) return timeOf(second);
    if (day === 0 && !this.#from1904) return null;
    const date = this.#dayText(day);
    return format === 'date' || second === 0 ? date : `${date} ${timeOf(second)}`;
  }

  #dayText(day: number): string {
    let text = this.#days.get(day);
    if (text !== undefined) return text;
    // The first program of its kind took 1900 for a leap year, and all others have followed it.
    const zero = this.#from1904 ? ZERO_1904 : day < 60 ? ZERO_1900 + 1 : ZERO_1900;
    text = new Date((day + zero) * DAY * 1000).toISOString().slice(0, 10);
    if (this.#days.size < MAX_KNOWN) this.#days.set(day, text);
    return text;
  }
}

function timeOf(second: number): string {
  return `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

/** As it is written, but for powers of ten and for digits that are not the number's own. */
export function plainNumber(raw: string, value: number): string {
  if (isShortDecimal(raw) || /^-?\d+$/.test(raw)) return raw;
  const text = String(value);
  return text.includes('e') || !Number.isFinite(value) ? cellText(raw) : text;
}

/** Fast test for the common case, run for every cell. */
function isShortDecimal(raw: string): boolean {
  if (raw.length > EXACT_DIGITS) return false;
  for (let i = 0; i < raw.length; i++) {
    const code = raw.charCodeAt(i);
    if ((code < 0x30 || code > 0x39) && code !== POINT && code !== MINUS) return false;
  }
  return true;
}
