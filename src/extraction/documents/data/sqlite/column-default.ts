/** What a column holds in rows that were written before it was added. */
import type { Token } from './sql-tokens.ts';

const NUMBER_PART = /^[-+]$|^\d+$/;

/** The text or integer after DEFAULT; '' if there is none, or if it is an expression. */
export function columnDefault(tokens: readonly Token[]): string {
  const at = tokens.findIndex(
    (token, i) => i > 0 && isWord(token, 'DEFAULT') && !isWord(tokens[i - 1]!, 'SET'),
  );
  const rest = at === -1 ? [] : tokens.slice(at + 1).filter(({ text, quoted }) => quoted || text !== '(');
  const first = rest[0];
  if (first === undefined) return '';
  if (first.quoted) return first.text;
  if (/^(true|false)$/i.test(first.text)) return /^true$/i.test(first.text) ? '1' : '0';
  return wholeNumber(rest);
}

/** `ON DELETE SET DEFAULT` is followed by no value. */
function isWord({ text, quoted }: Token, word: string): boolean {
  return !quoted && text.toUpperCase() === word;
}

function wholeNumber(tokens: readonly Token[]): string {
  const end = tokens.findIndex(({ text, quoted }) => quoted || !NUMBER_PART.test(text));
  const text = tokens
    .slice(0, end === -1 ? tokens.length : end)
    .map((token) => token.text)
    .join('');
  // What has a point or a power is no number that would be written for a row either.
  return /^[-+]?\d+$/.test(text) && tokens[end]?.text !== '.' ? text.replace('+', '') : '';
}
