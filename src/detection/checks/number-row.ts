import { isDigit, SPACE, textOf } from '../bytes.ts';

const COUNTRY_CODE = /(?:^|[^\d]|\+|00)1 $/;

/** "0 750 751 2400 2401": groups between blanks among other numbers are numbers of their own. */
export function isInNumberRow(bytes: Buffer, at: number): boolean {
  if (bytes[at + 3] !== SPACE || bytes[at + 7] !== SPACE) return false;
  const before = textOf(bytes, at - 40, at);
  const follows = / \d+ $/.test(before) && !COUNTRY_CODE.test(before);
  const precedes = bytes[at + 12] === SPACE && isDigit(bytes[at + 13]!);
  const row = (before.match(/(?<=[ (])\d+(?= )/g) ?? []).length > 2;
  return follows || precedes || row;
}
