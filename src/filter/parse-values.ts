/** From the first millisecond to the one after the last: a day is treated as an interval. */
export interface Interval {
  readonly from: number;
  readonly until: number;
}

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
};
export const SIZE_UNITS = Object.keys(UNITS);

/** Bytes; null for an unknown unit. Without a unit the amount is in bytes. */
export function parseSize(amount: number, unit: string): number | null {
  if (unit === '') return amount;
  const name = SIZE_UNITS.find((one) => one.toLowerCase() === unit.toLowerCase());
  return name === undefined ? null : amount * UNITS[name]!;
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?:(:\d\d)(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/;
const [SECOND, MINUTE, DAY] = [1000, 60_000, 86_400_000];

/** A day, a minute, a second or a millisecond, by the precision of the text; UTC unless specified. */
export function parseDate(text: string): Interval | null {
  const [, day, minute, second, fraction, zone] = DATE.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  if (minute === undefined) return interval(Date.parse(day), DAY);
  const from = Date.parse(`${day}T${minute}${second ?? ':00'}${fraction ?? ''}${zone ?? 'Z'}`);
  return interval(from, fraction ? 1 : second ? SECOND : MINUTE);
}

/** JavaScript parses the 31st of February as the 3rd of March. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

function interval(from: number, length: number): Interval | null {
  return Number.isNaN(from) ? null : { from, until: from + length };
}
