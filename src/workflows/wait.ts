import { SeineError } from '../base/errors.ts';
import { formatValue } from './user-code/code-error.ts';

/** Milliseconds, or a sum of units. */
export type Wait =
  | number
  | { readonly days?: number; readonly hours?: number; readonly minutes?: number; readonly seconds?: number };

/** Maximum of a Node timer: a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
/** A thousand years, within the range of PostgreSQL timestamps. */
export const MAX_WAIT_MS = 1000 * 365 * 24 * 60 * 60 * 1000;

const UNITS = new Map([
  ['days', 24 * 60 * 60 * 1000],
  ['hours', 60 * 60 * 1000],
  ['minutes', 60 * 1000],
  ['seconds', 1000],
]);

/** `has` is the start of the error message: "The workflow order has the timeout". */
export function milliseconds(wait: Wait, has: string): number {
  const refuse = (why: string): never => {
    throw new SeineError('usage', `${has} ${formatValue(wait)}: ${why}.`, {
      hint: 'Give milliseconds, or a sum of days, hours, minutes and seconds: { minutes: 1, seconds: 30 }.',
    });
  };
  const ms = typeof wait === 'number' ? wait : sumOf(wait, refuse);
  if (Number.isNaN(ms)) return refuse('it is not a number of milliseconds');
  if (ms < 0) return refuse('it is less than 0');
  return ms <= MAX_WAIT_MS ? ms : refuse('it is more than a thousand years');
}

/** For a timer of this process; Infinity: no limit. */
export function timerMs(limit: Wait, has: string): number {
  if (limit === Number.POSITIVE_INFINITY) return MAX_TIMER_MS;
  return Math.min(milliseconds(limit, has), MAX_TIMER_MS);
}

function sumOf(wait: unknown, refuse: (why: string) => never): number {
  if (typeof wait !== 'object' || wait === null) return Number.NaN;
  const parts = Object.entries(wait).map(([unit, count]) => {
    const ms = UNITS.get(unit) ?? refuse(`there is no unit "${unit}"`);
    return Number.isFinite(count)
      ? ms * count
      : refuse(`${unit} is ${formatValue(count)}, which is not a finite number`);
  });
  return parts.length > 0 ? parts.reduce((sum, part) => sum + part) : refuse('it names no unit');
}
