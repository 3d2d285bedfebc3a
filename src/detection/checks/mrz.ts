import { beginsWithYymmdd } from './calendar-date.ts';

const BOOKLET = /^[A-Z0-9<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z0-9<]+\d$/;
const CARD_TOP = /^[ACI][A-Z0-9<][A-Z<]{3}[A-Z0-9<]{9}[\d<][A-Z0-9<]{15}$/;
const CARD = /^\d{7}[MFX<]\d{7}[A-Z<]{3}[A-Z0-9<]{11}\d$/;

/** ICAO 9303, second line of a passport (44) or of a card in two lines (36): number, birth, expiry, and a digit over all. */
export function bookletLineChecks(line: string): boolean {
  if (!BOOKLET.test(line) || !datesCheck(line.slice(13, 20), line.slice(21, 28))) return false;
  if (!digitChecks(line.slice(0, 9), line[9]!)) return false;
  if (line.length === 44 && !digitChecks(line.slice(28, 42), line[42]!)) return false;
  return digitChecks(line.slice(0, 10) + line.slice(13, 20) + line.slice(21, -1), line.at(-1)!);
}

/** Second line of a card in three lines (30); the digit over all needs the first line too. */
export function cardLineChecks(line: string, top: string | null): boolean {
  if (!CARD.test(line) || !datesCheck(line.slice(0, 7), line.slice(8, 15))) return false;
  if (top === null) return true;
  const whole = top.slice(5) + line.slice(0, 7) + line.slice(8, 15) + line.slice(18, 29);
  return digitChecks(whole, line[29]!);
}

export function isCardTop(line: string): boolean {
  return CARD_TOP.test(line) && (line[14] === '<' || digitChecks(line.slice(5, 14), line[14]!));
}

function datesCheck(birth: string, expiry: string): boolean {
  if (!beginsWithYymmdd(birth) || !beginsWithYymmdd(expiry)) return false;
  return digitChecks(birth.slice(0, 6), birth[6]!) && digitChecks(expiry.slice(0, 6), expiry[6]!);
}

/** Weights 7, 3, 1 (ICAO 9303); letters from A = 10, the filler is 0 and may replace the digit of an empty field. */
function digitChecks(field: string, digit: string): boolean {
  let sum = 0;
  for (let i = 0; i < field.length; i++) sum += placeValue(field[i]!) * [7, 3, 1][i % 3]!;
  return digit === String(sum % 10) || (digit === '<' && /^<*$/.test(field));
}

function placeValue(c: string): number {
  return c === '<' ? 0 : Number.parseInt(c, 36);
}
