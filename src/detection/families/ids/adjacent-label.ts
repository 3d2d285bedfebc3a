import { byteSet, textOf } from '../../bytes.ts';
import { plainWords } from '../../context/context.ts';

const BACK = 48;
const BORDER = byteSet('\x00\x00\t\t\n\n\r\r,,;;||""\'\'<<>>');
const NEXT = String.raw`[^a-z0-9\n]{0,6}`;
const LINK = String.raw`(?:(?:is|was|of|no|nr|number|num|code|value|at|today)[^a-z0-9\n]{1,4}){0,2}`;

/**
 * For values so short that a label anywhere on the line is too weak: one of `words` (as in a context rule) must directly precede it, with
 * no more than ": ", " = ", " is " between, or the value must fill its field.
 */
export function adjacentLabel(
  words: readonly string[],
): (bytes: Buffer, start: number, end: number) => boolean {
  const label = words.map((word) => word.replaceAll(' ', '[ _-]*')).join('|');
  const right = new RegExp(`(?:^|[^a-z])(?:${label})s?${NEXT}(?:\\([a-z0-9 ]{1,12}\\))?${NEXT}${LINK}$`);
  return (bytes, start, end) =>
    fillsField(bytes, start, end) || right.test(plainWords(textOf(bytes, start - BACK, start)));
}

/** Whether the value fills a cell, an element or a line. For `"name": "value"` it returns false, since the name is the label to test. */
function fillsField(bytes: Buffer, start: number, end: number): boolean {
  if (BORDER[bytes[start - 1]!] !== 1 || BORDER[bytes[end]!] !== 1) return false;
  return !/[:=]\s{0,2}\\?["'`]?$/.test(textOf(bytes, start - 6, start));
}
