/**
 * One random number in ten passes the check digit, and one in five of these begins like a card: among many numbers some do. A list of cards
 * is told apart by the others: nearly all of them pass, too.
 */
import { isDigit, textOf } from '../bytes.ts';
import { brandOf } from './card.ts';
import { luhnBytes } from './check-digits.ts';

const AROUND = 400;
const GROUPS = /(?<![\d.,-])\d{4}(?: +\d{4})*(?![\d.,-])/g;
const LONG = /(?<![\d.,-])\d{13,19}(?![\d.,-])/g;
const MIN_OTHERS = 4;

/** `grouped`: written in groups of four between blanks. */
export function isOneOfMany(bytes: Buffer, start: number, end: number, grouped: boolean): boolean {
  if (!grouped) return othersFail(bytes, start, end);
  if (bytes[start + 4] !== 0x20) return false;
  return countsUp(textOf(bytes, start, end)) || isInTable(bytes, start, end);
}

/** 5700 6000 6900 7200, 2650 1514 1514 1514: numbers in order, or the same one again. */
function countsUp(written: string): boolean {
  const groups = written.split(' ').map(Number);
  if (groups.length !== 4) return false;
  const steps = groups.slice(1).map((group, n) => group - groups[n]!);
  return steps.every((step) => step >= 0 && step < 1500) || steps.filter((step) => step === 0).length > 1;
}

/** Numbers of four digits around it that do not come in fours, or in fours that are no cards. */
function isInTable(bytes: Buffer, start: number, end: number): boolean {
  const around = `${textOf(bytes, start - AROUND, start)}\n${textOf(bytes, end, end + AROUND)}`;
  const rows = around.match(GROUPS) ?? [];
  const strange = rows.filter((row) => !/^\d{4}(?: \d{4}){3}$/.test(row) || !isCard(row.replaceAll(' ', '')));
  const numbers = strange.reduce((sum, row) => sum + row.split(/ +/).length, 0);
  return numbers >= 3 * MIN_OTHERS && strange.length > rows.length * 0.75;
}

function othersFail(bytes: Buffer, start: number, end: number): boolean {
  if (!isDigit(bytes[end - 1]!)) return false;
  const around = `${textOf(bytes, start - AROUND, start)}\n${textOf(bytes, end, end + AROUND)}`;
  const others = around.match(LONG) ?? [];
  return others.length >= MIN_OTHERS && others.filter(isCard).length < others.length / 4;
}

function isCard(digits: string): boolean {
  const bytes = Buffer.from(digits, 'latin1');
  return luhnBytes(bytes, 0, bytes.length) && brandOf(Number(digits.slice(0, 6)), digits.length) !== null;
}
