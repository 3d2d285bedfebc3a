/**
 * Numbers in groups and numbers with capital letters in front have hundreds of forms. The kernel has one filter for each of the two
 * sorts; who is asked is told by the form: how long the first run is, what parts it from the next, what that is made of and how
 * long it is.
 */
import { byteList } from '../pattern/byte-list.ts';
import type { Shape } from '../pattern/shapes.ts';
import { ALNUM, CLASS_OF, classesOf, DASH, DIGIT, DOT, NOTABLE, SPACE, UPPER } from './byte-classes.ts';

export type Sort = 'digits' | 'capitals';

/** No form: who is asked whatever it is. */
export const ANY_FORM = -1;

/** What such a number is made of, so many bytes at least. */
export const FORM_CLASSES: number = DIGIT | UPPER | SPACE | DASH | DOT | NOTABLE;
export const FORM_LENGTH = 8;
/** A number without a sign of its own among its first bytes must be this long. */
export const FORM_DIGITS = 12;
export const FORM_SIGNS = 6;
const LONGEST_RUN = 15;
const RUN = 1 << 24;

/** Which of the two filters lets the shape through in any case; null: none. */
export function sortOf({ sets, startBorder }: Shape): Sort | null {
  if (!startBorder) return null;
  const classes = sets.map(classesOf);
  const sign = (test: (one: number) => boolean) => classes.slice(1, 1 + FORM_SIGNS).some(test);
  const long =
    classes.length >= FORM_LENGTH &&
    classes.slice(0, FORM_LENGTH).every((one) => (one & ~FORM_CLASSES) === 0);
  if (classes[0] === DIGIT) {
    if (classes.length >= FORM_DIGITS && classes.slice(0, FORM_DIGITS).every((one) => one === DIGIT))
      return 'digits';
    return long && sign((one) => (one & DIGIT) === 0) && !mayBeDate(classes) ? 'digits' : null;
  }
  return classes[0] === UPPER && long && sign((one) => one === DIGIT) ? 'capitals' : null;
}

/** The filter for digits passes by what begins like 2024-01-15. */
function mayBeDate(classes: readonly number[]): boolean {
  return DATE.every((one, n) => (classes[n]! & one) !== 0);
}

const DATE = [DIGIT, DIGIT, DIGIT, DIGIT, DASH, DIGIT, DIGIT, DASH];

/** All forms that numbers of the shape may have; null: any. */
export function formsOf({ sets, endBorder }: Shape): number[] | null {
  const classes = sets.map(classesOf);
  const first = runOf(classes, 0);
  if (first < classes.length && classes[first]! & classes[0]!) return null;
  if (first === classes.length) return runForms(first, endBorder);
  const next = classes[first]!;
  const parted = (next & ALNUM) === 0;
  if (!parted && (next & (next - 1)) !== 0) return null;
  const separators = parted ? byteList(sets[first]!) : [0];
  const start = parted ? first + 1 : first;
  const made = classes[start];
  if (made === undefined || (made & (made - 1)) !== 0 || (made & ALNUM) === 0) return null;
  const least = runOf(classes, start);
  const after = classes[start + least];
  const exact = after === undefined ? endBorder : (after & made) === 0;
  const lengths = exact ? [least] : Array.from({ length: LONGEST_RUN - least + 1 }, (_, n) => least + n);
  return separators.flatMap((separator) => lengths.map((length) => formKey(first, separator, made, length)));
}

/** One run and nothing else that is known: told by its length alone. */
function runForms(least: number, exact: boolean): number[] {
  const most = exact ? least : LONGEST_RUN;
  return Array.from({ length: most - least + 1 }, (_, n) => RUN | (least + n));
}

/** A form that is told by its first run. */
export function runAtForm(form: number): number {
  return RUN | (form & LONGEST_RUN);
}

/** The form of the number that begins at `at`. */
export function formAt(bytes: Buffer, at: number): number {
  const first = runAt(bytes, at);
  const next = bytes[at + first]!;
  const parted = (CLASS_OF[next]! & ALNUM) === 0;
  const start = at + first + (parted ? 1 : 0);
  const made = CLASS_OF[bytes[start]!]! & ALNUM;
  return made === 0 ? formKey(first, 0, 0, 0) : formKey(first, parted ? next : 0, made, runAt(bytes, start));
}

function formKey(first: number, separator: number, made: number, second: number): number {
  return (
    Math.min(first, LONGEST_RUN) | (separator << 4) | (made << 12) | (Math.min(second, LONGEST_RUN) << 16)
  );
}

function runOf(classes: readonly number[], from: number): number {
  let end = from;
  while (end < classes.length && classes[end] === classes[from]) end++;
  return end - from;
}

function runAt(bytes: Buffer, from: number): number {
  const made = CLASS_OF[bytes[from]!]!;
  let end = from + 1;
  while (end < from + LONGEST_RUN && CLASS_OF[bytes[end]!] === made) end++;
  return end - from;
}
