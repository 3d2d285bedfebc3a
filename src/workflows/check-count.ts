import { SeineError } from '../base/errors.ts';
import { shown } from './user-code/code-error.ts';

/** PostgreSQL counts so far. */
const MOST = 1_000_000_000;

/** `whose` begins the sentence about a number that is none of these: "The action order/charge". */
export function checkCount(whose: string, what: string, count: number, least = 1): void {
  if (Number.isInteger(count) && count >= least && count <= MOST) return;
  throw new SeineError(
    'usage',
    `${whose} needs a whole number of at least ${least} as ${what}, not ${shown(count)}.`,
    { hint: `Give one of at most ${MOST}, or leave ${what} out.` },
  );
}
