import { isDigit, NEWLINE, SPACE, textOf } from './bytes.ts';
import type { ContextRule } from './detector.ts';

/** How far before a value its words are looked for. */
export const WORDS_BACK = 48;

/** What a rule's words became: one expression each for what speaks for and against a value. */
export interface ContextTest {
  supports(words: string): boolean;
  denies(words: string): boolean;
}

export function contextTest(rule: ContextRule): ContextTest {
  const words = anyOf(rule.words);
  const avoid = rule.avoid && anyOf(rule.avoid);
  return {
    supports: (text) => words.test(text),
    denies: (text) => avoid?.test(text) ?? false,
  };
}

const HUMP = /[a-z][A-Z]/;
const HUMPS = /([a-z])([A-Z])/g;

/** What a word surely begins with: the pass notes where these stand, and no words are read where none stood. */
export function gateWord(word: string): string {
  return /^(?:[a-z.]|\\\.)+(?![?*])/.exec(word)![0].replaceAll('\\', '');
}

/**
 * The words before a value: the rest of its line to the left, at most 48 bytes. A label belongs to the first number
 * after it, so the words end at an earlier number of four digits or more. A line of its own ending in ':' counts as label.
 */
export function wordsBefore(bytes: Buffer, start: number): string {
  const from = contextStart(bytes, start);
  return start - from < 2 ? '' : plainWords(textOf(bytes, from, start));
}

/** "patientSSN", "patient_ssn" and "Patient-SSN" are the same words. */
export function plainWords(name: string): string {
  const split = HUMP.test(name) ? name.replace(HUMPS, '$1 $2') : name;
  return split.toLowerCase();
}

function contextStart(bytes: Buffer, start: number): number {
  const stop = start - WORDS_BACK;
  let digits = 0;
  for (let i = start - 1; i >= stop; i--) {
    const b = bytes[i]!;
    if (b === 0 || (b === NEWLINE && !endsWithColon(bytes, i))) return i + 1;
    digits = isDigit(b) ? digits + 1 : 0;
    if (digits === 4) return i + 4;
  }
  return stop;
}

function endsWithColon(bytes: Buffer, newline: number): boolean {
  let i = newline - 1;
  while (i > newline - 4 && (bytes[i] === SPACE || bytes[i] === 0x0d)) i--;
  return bytes[i] === 0x3a;
}

function anyOf(words: readonly string[]): RegExp {
  const alternatives = words.map((word) => word.replaceAll(' ', '[ _-]*'));
  return new RegExp(`(?:^|[^a-z])(?:${alternatives.join('|')})s?(?![a-z])`);
}
