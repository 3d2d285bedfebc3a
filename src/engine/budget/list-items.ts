/**
 * Parses lists such as `requests=2M, cost=$40` into items with their spans, and builds errors that point at
 * a span.
 */
import { SeineError } from '../../base/errors.ts';

/** `[start, end)` in the text. */
interface TextSpan {
  readonly start: number;
  readonly end: number;
}

interface SpannedText extends TextSpan {
  readonly text: string;
}

export interface ListItem {
  readonly name: SpannedText;
  readonly value: SpannedText;
}

export interface ListSyntax {
  /** The name of the text in messages: `a budget`. */
  readonly what: string;
  /** The accepted syntax. */
  readonly hint: string;
}

export function parseItems(text: string, expected: ListSyntax): ListItem[] {
  const items: ListItem[] = [];
  let start = 0;
  for (const part of text.split(',')) {
    items.push(parseItem(text, { text: part, start, end: start + part.length }, expected));
    start += part.length + 1;
  }
  for (const [i, { name }] of items.entries()) {
    const twice = items.findIndex((item) => item.name.text === name.text) < i;
    if (twice) throw syntaxErrorAt(text, name, `"${name.text}" is given twice`, expected.hint);
  }
  return items;
}

function parseItem(text: string, part: SpannedText, { what, hint }: ListSyntax): ListItem {
  const item = trimmed(part);
  const equals = item.text.indexOf('=');
  if (item.text === '') throw syntaxErrorAt(text, item, `an item is missing in ${what}`, hint);
  if (equals < 0) throw syntaxErrorAt(text, item, `"${item.text}" has no value`, hint);
  const name = trimmed({ text: item.text.slice(0, equals), start: item.start, end: item.start + equals });
  const value = trimmed({ text: item.text.slice(equals + 1), start: item.start + equals + 1, end: item.end });
  if (name.text === '') throw syntaxErrorAt(text, item, 'the name before "=" is missing', hint);
  if (value.text === '') throw syntaxErrorAt(text, item, `"${name.text}" has no value`, hint);
  return { name, value };
}

function trimmed(word: SpannedText): SpannedText {
  const text = word.text.trim();
  const start = word.start + (word.text.length - word.text.trimStart().length);
  return text === '' ? { ...word, text } : { text, start, end: start + text.length };
}

/**
 * A usage error that shows the text with carets below the span:
 *
 *     "2X" is not a number of requests (column 10)
 *       requests=2X, cost=$40
 *                ^^
 */
export function syntaxErrorAt(text: string, span: TextSpan, message: string, hint: string): SeineError {
  const shown = text.replace(/\p{Cc}/gu, ' ');
  const carets = '^'.repeat(Math.max(1, span.end - span.start));
  const excerpt = `  ${shown}\n  ${' '.repeat(span.start)}${carets}`;
  return new SeineError('usage', `${message} (column ${span.start + 1})\n${excerpt}`, { hint });
}
