import { CLASS, isDigit, LOWER, NEWLINE, SPACE, textOf, UPPER } from '../bytes.ts';
import type { ContextRule } from '../detector.ts';

/** How many bytes before a value are searched for context words. */
export const CONTEXT_BYTES = 48;

/** A rule's context words, compiled to one expression for positive and one for negative context. */
export interface ContextMatcher {
  isPositive(words: string): boolean;
  isNegative(words: string): boolean;
  /** The positive context word that matched. */
  positiveWord(words: string): string | null;
  negativeWord(words: string): string | null;
}

export function compileContext(rule: ContextRule): ContextMatcher {
  const { adjacent = [] } = rule;
  const words = anyOf(rule.words.filter((word) => !adjacent.includes(word)));
  const beside = besideAny(adjacent);
  const avoid = rule.avoid && anyOf(rule.avoid);
  return {
    isPositive: (text) => words.test(text) || beside.test(text),
    isNegative: (text) => avoid?.test(text) ?? false,
    positiveWord: (text) => words.exec(text)?.[1] ?? beside.exec(text)?.slice(1).find(Boolean) ?? null,
    negativeWord: (text) => avoid?.exec(text)?.[1] ?? null,
  };
}

/** Matches nothing: a detector may have negative words only. */
const NONE = /(?!)/;
const HUMP = /[a-z][A-Z]/;
const HUMPS = /([a-z])([A-Z])/g;

/**
 * The words before a value: the rest of its line to the left, at most 48 bytes. A label belongs to the first number after it, so the
 * words start after an earlier number of four digits or more. A preceding line that ends in ':' counts as label.
 */
export function wordsBefore(bytes: Buffer, start: number): string {
  const from = contextStart(bytes, start);
  return start - from < 2 ? '' : plainWords(textOf(bytes, from, start));
}

/** Normalises a name: "patientSSN", "patient_ssn" and "Patient-SSN" become the same words. */
export function plainWords(name: string): string {
  const split = HUMP.test(name) ? name.replace(HUMPS, '$1 $2') : name;
  return split.toLowerCase();
}

/** The normalised field name as a binary string, the form in which context words are matched. */
export function fieldWords(name: string): string {
  return plainWords(asBytes(name));
}

/** The start of the words before a value. */
export function contextStart(bytes: Buffer, start: number): number {
  const stop = start - CONTEXT_BYTES;
  let digits = 0;
  for (let i = start - 1; i >= stop; i--) {
    const b = bytes[i]!;
    if (b === 0 || (b === NEWLINE && !endsWithColon(bytes, i))) return i + 1;
    digits = isDigit(b) ? digits + 1 : 0;
    if (digits === 4) return i + 4;
  }
  return wholeWord(bytes, stop, start);
}

/** Skips a word that was cut, so that the end of "telephone" is not read as "phone". */
function wholeWord(bytes: Buffer, from: number, to: number): number {
  let i = from;
  while (i < to && isLetter(bytes[i]!) && isLetter(bytes[i - 1]!) && !isHump(bytes, i)) i++;
  return i;
}

function isHump(bytes: Buffer, at: number): boolean {
  return CLASS[bytes[at]!] === UPPER && CLASS[bytes[at - 1]!] === LOWER;
}

function isLetter(byte: number): boolean {
  return (CLASS[byte]! & (UPPER | LOWER)) !== 0;
}

function endsWithColon(bytes: Buffer, newline: number): boolean {
  let i = newline - 1;
  while (i > newline - 4 && (bytes[i] === SPACE || bytes[i] === 0x0d)) i--;
  return bytes[i] === 0x3a;
}

function anyOf(words: readonly string[]): RegExp {
  if (words.length === 0) return NONE;
  const strange = words.find((word) => /[()[\]?*+|\\]/.test(word));
  if (strange !== undefined)
    throw new RangeError(`the context word "${strange}" is not made of letters and blanks`);
  return new RegExp(`(?:^|[^a-z])(${alternatives(words)})s?(?![a-z])`);
}

/** Between a separate word and its value: only marks, and the words that join a label to its value. */
const JOINED = String.raw`(?![a-z])["')\]]{0,2}(?:[ _-](?:no|nr|num|number|code|id|is))?["']?\.?[\s:=#("'>]{0,5}$`;

/** Words directly before a value or at either end of its field name. The last part of an identifier needs a sign of assignment. */
function besideAny(words: readonly string[]): RegExp {
  if (words.length === 0) return NONE;
  const any = alternatives(words);
  const assigned = String.raw`(?:["']?\s?[:=]\s?["']?)?$`;
  return new RegExp(`(?:^|[^a-z_-])(${any})s?${JOINED}|[_-](${any})s?${assigned}|^(${any})[ _-][a-z]+$`);
}

function alternatives(words: readonly string[]): string {
  return words
    .map((word) => asBytes(word).toLowerCase().replaceAll('.', '\\.').replaceAll(' ', '[ _-]*'))
    .join('|');
}

/** UTF-8 as a binary string: one character per byte, like text that has not been decoded. */
function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
