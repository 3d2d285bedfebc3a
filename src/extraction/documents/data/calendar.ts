/** Days and times that are numbers in the file, as ISO 8601 has them. Written digit by digit: there may be millions. */
import type { CellWriter } from './cell-writer.ts';

const DAY = 86_400_000;
const LAST_DAY = 100_000_000;
/** Days from 1970 back to March 1 of year 0, so that leap days come last in their year. */
const TO_MARCH_0 = 719_468;
const DAYS_OF_400_YEARS = 146_097;

/** Days since 1970, in the calendar of today. */
export function writeDate(out: CellWriter, day: number): void {
  if (!(Math.abs(day) < LAST_DAY)) return out.ascii(String(day));
  const era = Math.floor((day + TO_MARCH_0) / DAYS_OF_400_YEARS);
  const ofEra = day + TO_MARCH_0 - era * DAYS_OF_400_YEARS;
  const leaps = ((ofEra / 1460) | 0) - ((ofEra / 36524) | 0) + ((ofEra / 146096) | 0);
  const yearOfEra = ((ofEra - leaps) / 365) | 0;
  const ofYear = ofEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0));
  const fromMarch = ((5 * ofYear + 2) / 153) | 0;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  writeYear(out, 400 * era + yearOfEra + (month <= 2 ? 1 : 0));
  out.ascii('-');
  out.padded(month, 2);
  out.ascii('-');
  out.padded(ofYear - (((153 * fromMarch + 2) / 5) | 0) + 1, 2);
}

function writeYear(out: CellWriter, year: number): void {
  if (year >= 0 && year <= 9999) return out.padded(year, 4);
  out.ascii(year < 0 ? '-' : '+');
  out.padded(Math.abs(year), 6);
}

/** Milliseconds since 1970; finer resolution is dropped. */
export function writeTimestamp(out: CellWriter, milliseconds: number): void {
  const day = Math.floor(milliseconds / DAY);
  writeDate(out, day);
  if (!(Math.abs(day) < LAST_DAY)) return;
  out.ascii('T');
  writeTime(out, milliseconds - day * DAY);
}

/** Milliseconds since midnight. */
export function writeTime(out: CellWriter, milliseconds: number): void {
  if (!(milliseconds >= 0 && milliseconds < DAY)) return out.ascii(String(milliseconds));
  const seconds = (milliseconds / 1000) | 0;
  out.padded((seconds / 3600) | 0, 2);
  out.ascii(':');
  out.padded(((seconds / 60) | 0) % 60, 2);
  out.ascii(':');
  out.padded(seconds % 60, 2);
}
