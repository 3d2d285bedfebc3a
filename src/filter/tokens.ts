import { syntaxErrorAt, type TextSpan } from './syntax-error.ts';

export const COMPARATORS = ['=', '!=', '>', '<', '>=', '<=', '~', '!~'] as const;

export type Token = TextSpan &
  (
    | { readonly kind: 'word'; readonly text: string }
    | { readonly kind: 'string'; readonly text: string }
    | { readonly kind: 'number'; readonly text: string; readonly value: number; readonly unit: string }
    | { readonly kind: 'sign'; readonly text: string }
    | { readonly kind: 'end'; readonly text: '' }
  );

/** A bound on the work of the parser; filters written by hand are shorter. */
const MAX_LENGTH = 10_000;

/** Operators of other languages, and their equivalents here. */
const OPERATOR_ALIASES: Readonly<Record<string, string>> = {
  '===': '=',
  '<>': '!=',
  '!==': '!=',
  '=~': '~',
  '&&': 'and',
  '&': 'and',
  '||': 'or',
  '|': 'or',
  '!': 'not',
};

const PATTERNS = {
  space: /\s+/y,
  word: /[\p{L}_][\p{L}\p{N}_]*/uy,
  number: /(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(\p{L}*)/iuy,
  // Two quotes in a row stand for one; backslashes are literal, because patterns contain many.
  string: /'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"/y,
  sign: /[()]|[=!<>~&|]+/y,
};

/** The last token is always the end. */
export function tokenize(text: string): Token[] {
  if (text.length > MAX_LENGTH) {
    throw syntaxErrorAt(
      text,
      { start: MAX_LENGTH, end: text.length },
      'the filter is too long',
      `${MAX_LENGTH} characters at most`,
    );
  }
  const tokens: Token[] = [];
  let start = 0;
  while (start < text.length) {
    start += matchAt('space', text, start)?.[0].length ?? 0;
    if (start === text.length) break;
    const token = tokenAt(text, start);
    tokens.push(token);
    start = token.end;
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

function tokenAt(text: string, start: number): Token {
  const word = matchAt('word', text, start);
  if (word) return { kind: 'word', text: word[0], start, end: start + word[0].length };
  const string = matchAt('string', text, start);
  if (string) return { kind: 'string', text: unquote(string[0]), start, end: start + string[0].length };
  const number = matchAt('number', text, start);
  return number ? numberToken(text, start, number) : signAt(text, start);
}

function numberToken(text: string, start: number, [all, digits, unit]: RegExpExecArray): Token {
  const span = { start, end: start + all.length };
  const value = Number(digits);
  if (!Number.isFinite(value))
    throw syntaxErrorAt(text, span, 'this number is too large', 'write fewer digits');
  return { kind: 'number', text: all, value, unit: unit ?? '', ...span };
}

function signAt(text: string, start: number): Token {
  const written = matchAt('sign', text, start)?.[0];
  const sign = written === '==' ? '=' : written; // as in most languages
  const quote = text[start] === "'" || text[start] === '"';
  if (quote) {
    throw syntaxErrorAt(
      text,
      { start, end: start + 1 },
      'this quote is never closed',
      'inside a text, write a quote twice',
    );
  }
  if (sign === undefined) {
    const stray = String.fromCodePoint(text.codePointAt(start)!);
    const span = { start, end: start + stray.length };
    throw syntaxErrorAt(
      text,
      span,
      `'${printable(stray)}' has no meaning here`,
      "put texts in quotes: path contains 'a-b'",
    );
  }
  if (sign !== '(' && sign !== ')' && !COMPARATORS.some((known) => known === sign)) {
    const instead = OPERATOR_ALIASES[sign];
    const hint = instead ? `write ${instead}` : `the comparisons are ${COMPARATORS.join(' ')} contains`;
    throw syntaxErrorAt(text, { start, end: start + sign.length }, `unknown operator '${sign}'`, hint);
  }
  return { kind: 'sign', text: sign, start, end: start + written!.length };
}

function matchAt(kind: keyof typeof PATTERNS, text: string, at: number): RegExpExecArray | null {
  const pattern = PATTERNS[kind];
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function unquote(quoted: string): string {
  const quote = quoted[0]!;
  return quoted.slice(1, -1).replaceAll(quote + quote, quote);
}

function printable(char: string): string {
  return /\p{Cc}|\p{Cs}/u.test(char) ? `U+${char.codePointAt(0)!.toString(16).padStart(4, '0')}` : char;
}
