/** Lists such as `requests=2M, cost=$40`: the items with their places, and mistakes that point at one. */
import { SeineError } from '../../base/errors.ts';

/** `[start, end)` in the text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

interface Word extends Place {
  readonly text: string;
}

export interface Item {
  readonly name: Word;
  readonly value: Word;
}

export interface Expected {
  /** What the text is, for people: `a budget`. */
  readonly what: string;
  /** What can be written. */
  readonly hint: string;
}

export function readItems(text: string, expected: Expected): Item[] {
  const items: Item[] = [];
  let start = 0;
  for (const part of text.split(',')) {
    items.push(readItem(text, { text: part, start, end: start + part.length }, expected));
    start += part.length + 1;
  }
  for (const [i, { name }] of items.entries()) {
    const twice = items.findIndex((item) => item.name.text === name.text) < i;
    if (twice) throw mistake(text, name, `"${name.text}" is there twice`, expected.hint);
  }
  return items;
}

function readItem(text: string, part: Word, { what, hint }: Expected): Item {
  const item = trimmed(part);
  const equals = item.text.indexOf('=');
  if (item.text === '') throw mistake(text, item, `something is missing in ${what}`, hint);
  if (equals < 0) throw mistake(text, item, `"${item.text}" has no value`, hint);
  const name = trimmed({ text: item.text.slice(0, equals), start: item.start, end: item.start + equals });
  const value = trimmed({ text: item.text.slice(equals + 1), start: item.start + equals + 1, end: item.end });
  if (name.text === '') throw mistake(text, item, 'the name before "=" is missing', hint);
  if (value.text === '') throw mistake(text, item, `"${name.text}" has no value`, hint);
  return { name, value };
}

function trimmed(word: Word): Word {
  const text = word.text.trim();
  const start = word.start + (word.text.length - word.text.trimStart().length);
  return text === '' ? { ...word, text } : { text, start, end: start + text.length };
}

/**
 * A usage error that shows the text with carets below the place:
 *
 *     "2X" is not a number of requests (column 10)
 *       requests=2X, cost=$40
 *                ^^
 */
export function mistake(text: string, place: Place, message: string, hint: string): SeineError {
  const shown = text.replace(/\p{Cc}/gu, ' ');
  const carets = '^'.repeat(Math.max(1, place.end - place.start));
  const picture = `  ${shown}\n  ${' '.repeat(place.start)}${carets}`;
  return new SeineError('usage', `${message} (column ${place.start + 1})\n${picture}`, { hint });
}
