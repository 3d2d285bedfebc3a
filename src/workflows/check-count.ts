import { SeineError } from '../base/errors.ts';
import { formatValue } from './user-code/code-error.ts';

/** Maximum of a PostgreSQL integer. */
const MAX_COUNT = 1_000_000_000;

/** `whose` is the subject of the error message: "The action order/charge". */
export function checkCount(whose: string, what: string, count: number, min = 1): void {
  if (Number.isInteger(count) && count >= min && count <= MAX_COUNT) return;
  throw new SeineError(
    'usage',
    `${whose} needs a whole number of at least ${min} as ${what}, not ${formatValue(count)}.`,
    { hint: `Give one of at most ${MAX_COUNT}, or leave ${what} out.` },
  );
}
