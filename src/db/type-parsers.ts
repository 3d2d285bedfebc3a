import pg from 'pg';
import { SeineError } from '../base/errors.ts';

/**
 * Converts PostgreSQL's values: `bigint` and `numeric` become numbers, `bytea` a Buffer, `timestamptz` a
 * Date. Set per connection: pg's global table is not changed for other users in the process.
 *
 * A `bigint` is an id, a count or a position, and exact: one beyond 2^53 is an error instead of being
 * rounded. Sizes in bytes may be larger, because a file can claim 8 EiB. Statements return them as `double
 * precision` and their sums as `numeric`, which are rounded to 53 bits beyond 8 PiB: correct to 15 digits,
 * and valid in JSON.
 */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: safeInteger,
  1016: (text) => numbers(text, safeInteger),
  1700: Number,
  1231: (text) => numbers(text, Number),
};

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parse = format === 'binary' ? undefined : PARSERS[oid];
    return parse ?? pg.types.getTypeParser(oid, format);
  },
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new SeineError('limit', `The number ${text} is too large.`);
  return value;
}

/** Parses `{1,2,NULL}`: numbers need no unquoting, and none of our columns has two dimensions. */
function numbers(text: string, parse: (item: string) => number): (number | null)[] {
  if (text === '{}') return [];
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item === 'NULL' ? null : parse(item)));
}
