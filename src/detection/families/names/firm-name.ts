import { CLASS, LOWER, SPACE, textOf } from '../../bytes.ts';
import { EVERYDAY, FIRST_NAME, kindOfWord, LAST_NAME } from '../../data/name-list.ts';
import { isCapital, wordEnd, wordStart } from './person-name.ts';

/** Maximum number of words in the name of a firm. */
export const MAX_WORDS = 5;

/** Walks back over capitalised words and "&", then drops everyday words from the start. */
export function nameStart(bytes: Buffer, end: number): number {
  let start = capitalsStart(bytes, end);
  while (start < end && !isName(bytes, start)) start = nextStart(bytes, start, end);
  return start;
}

/**
 * Before a legal form such as Ltd any capitalised words are a name, except one that begins the sentence; a single word must be a known
 * name.
 */
export function legalStart(bytes: Buffer, end: number): number {
  const first = capitalsStart(bytes, end);
  const start = isName(bytes, first) || !isCapital(bytes, first) ? first : nextStart(bytes, first, end);
  const within = first !== start && CLASS[bytes[first - 2]!] === LOWER && bytes[first - 1] === SPACE;
  const lone = nextStart(bytes, start, end) === end;
  return lone || !isCapital(bytes, start) ? nameStart(bytes, end) : within ? first : start;
}

function capitalsStart(bytes: Buffer, end: number): number {
  let start = end;
  for (let words = 0; words < MAX_WORDS; words++) {
    const to = start === end ? end : start - 1;
    if (start !== end && bytes[to] !== SPACE) break;
    const before = wordBefore(bytes, to);
    if (before === to) break;
    start = before;
  }
  return start;
}

function wordBefore(bytes: Buffer, to: number): number {
  if (bytes[to - 1] === 0x26 && bytes[to - 2] === SPACE) return to - 1;
  if (textOf(bytes, to - 4, to) === ' and') return to - 3;
  const comma = bytes[to - 1] === 0x2c ? to - 1 : to;
  const start = wordStart(bytes, comma);
  return isCapital(bytes, start) && start < comma ? start : to;
}

/** Whether it can be a firm's name: starts with a capital, not with "The", "In" or "&", and is not a single everyday word. */
export function isName(bytes: Buffer, start: number): boolean {
  if (!isCapital(bytes, start)) return false;
  const kind = kindOfWord(bytes, start, wordEnd(bytes, start));
  return (kind & EVERYDAY) === 0 || (kind & (FIRST_NAME | LAST_NAME)) !== 0;
}

function nextStart(bytes: Buffer, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i] !== SPACE) i++;
  return Math.min(end, i + 1);
}
