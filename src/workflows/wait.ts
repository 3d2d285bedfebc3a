import { SeineError } from '../base/errors.ts';
import { shown } from './user-code/code-error.ts';

/** Milliseconds, or a sum of units. */
export type Wait =
  | number
  | { readonly days?: number; readonly hours?: number; readonly minutes?: number; readonly seconds?: number };

/** Of a timer of Node: a longer one would go off at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;
/** A thousand years: PostgreSQL can count that far. */
export const LONGEST_WAIT = 1000 * 365 * 24 * 60 * 60 * 1000;

const UNITS = new Map([
  ['days', 24 * 60 * 60 * 1000],
  ['hours', 60 * 60 * 1000],
  ['minutes', 60 * 1000],
  ['seconds', 1000],
]);

/** `has` begins the sentence about a value that is no time: "The workflow order has the timeout". */
export function milliseconds(wait: Wait, has: string): number {
  const refuse = (why: string): never => {
    throw new SeineError('usage', `${has} ${shown(wait)}: ${why}.`, {
      hint: 'Give milliseconds, or a sum of days, hours, minutes and seconds: { minutes: 1, seconds: 30 }.',
    });
  };
  const ms = typeof wait === 'number' ? wait : sumOf(wait, refuse);
  if (Number.isNaN(ms)) return refuse('it is no number of milliseconds');
  if (ms < 0) return refuse('it is less than 0');
  return ms <= LONGEST_WAIT ? ms : refuse('it is more than a thousand years');
}

/** For a timer of this process; Infinity: as long as it takes. */
export function timerMs(limit: Wait, has: string): number {
  if (limit === Number.POSITIVE_INFINITY) return LONGEST_TIMER;
  return Math.min(milliseconds(limit, has), LONGEST_TIMER);
}

function sumOf(wait: unknown, refuse: (why: string) => never): number {
  if (typeof wait !== 'object' || wait === null) return Number.NaN;
  const parts = Object.entries(wait).map(([unit, count]) => {
    const ms = UNITS.get(unit) ?? refuse(`there is no unit "${unit}"`);
    return Number.isFinite(count)
      ? ms * count
      : refuse(`${unit} is ${shown(count)}, which is no finite number`);
  });
  return parts.length > 0 ? parts.reduce((sum, part) => sum + part) : refuse('it names no unit');
}
