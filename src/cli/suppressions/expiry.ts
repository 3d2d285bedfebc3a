import { SeineError } from '../../base/errors.ts';
import { one, type Queryable } from '../../db/database.ts';

const DAY = 8.64e7;
const DURATION_UNITS: Readonly<Record<string, number>> = { d: DAY, w: 7 * DAY, m: 30 * DAY, y: 365 * DAY };

/** When the suppression expires: the end of a day (UTC), or a duration from now by the database's clock. */
export async function parseExpiry(db: Queryable, text: string | undefined): Promise<Date | null> {
  if (text === undefined) return null;
  const { now } = await one<{ now: Date }>(db, 'select clock() as now');
  const until = expiryOf(text.trim(), now.getTime());
  if (until === null)
    throw new SeineError('usage', `--until is neither a date nor a duration: "${text}".`, {
      hint: 'Write it like 2027-01-31 (that day included), 90d, 12w, 6m or 1y.',
    });
  if (until <= now.getTime())
    throw new SeineError('usage', `--until ${text} is in the past.`, {
      hint: 'Specify a future date.',
    });
  return new Date(until);
}

export function expiryOf(text: string, now: number): number | null {
  const span = /^(\d{1,5})([dwmy])$/.exec(text);
  if (span) return now + Number(span[1]) * DURATION_UNITS[span[2]!]!;
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse turns 31 February into 3 March.
  const real = !Number.isNaN(date) && new Date(date).toISOString().startsWith(text);
  return real ? date + DAY : null;
}
