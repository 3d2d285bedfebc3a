import { textOf } from '../bytes.ts';
import { CAPITAL_WORD } from './street-words.ts';

/**
 * The rest of an address after its street: town, state, postal code and country, on the same line or those below. A town
 * alone proves nothing; with a postal code, the two letters of a state or the name of a country it belongs to the address.
 */
const GAP = String.raw`(?:,? ?\r?\n{1,2}[ \t]*(?:[>?|]+ ?)?(?:, ?)?|,? )`;
const TOWN = `(?:${CAPITAL_WORD}|\\((?:${CAPITAL_WORD} ?)+\\)|[a-z]{1,4}(?= [A-Z]))(?:[ -]${CAPITAL_WORD}|[ -][a-z']{1,4}(?=[ -][A-Z\\x80-\\xff])|-[a-z]+)*`;
const STATE = String.raw`(?:[A-Z]{2,3}|\d{2})`;
export const POSTAL = String.raw`(?:\d{5}(?:-\d{3,4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{3} \d{2}|(?:[A-Z]{1,2}-)?\d{4,6})`;
const LONGEST = 140;

let forms: readonly RegExp[] | null = null;

export function localityEnd(bytes: Buffer, from: number): number {
  forms ??= localities();
  const text = textOf(bytes, from, from + LONGEST);
  for (const form of forms) {
    const length = form.exec(text)?.[0].length ?? 0;
    if (length > 0) return from + length;
  }
  return from;
}

function localities(): RegExp[] {
  const country = `(?:${countries().join('|')})(?: \\([A-Z][a-z]+\\))?`;
  const end = '(?![\\w-])';
  return [
    `^${GAP}(?:[AFD]PO|[afd]po),? (?:A[AEP]|a[aep])(?: \\d{5}(?:-\\d{4})?)?${end}`,
    `^${GAP}${POSTAL}(?: ${STATE})? ${TOWN}(?:${GAP}${country})?(?:${GAP}${POSTAL})?${end}`,
    `^(?:${GAP}${TOWN})?(?:${GAP}${STATE})?${GAP}${country}(?:${GAP}${POSTAL})?${end}`,
    `^${GAP}${TOWN}(?:${GAP}${STATE})(?:${GAP}${POSTAL})(?:${GAP}${country})?${end}`,
    `^${GAP}${TOWN}${GAP}${POSTAL}(?:${GAP}${country})?${end}`,
  ].map((form) => new RegExp(form));
}

/** As the language data of the runtime calls them, and some other names of theirs. */
function countries(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const known = letters.flatMap((a) => letters.map((b) => names.of(a + b)));
  const other = [
    'USA',
    'U.S.A.',
    'UK',
    'United States of America',
    'Czech Republic',
    'Great Britain',
    'England',
    'Scotland',
    'Wales',
    'Deutschland',
    'España',
    'Österreich',
    'Suisse',
    'Schweiz',
    'Brasil',
    'Italia',
    'Nederland',
    'Sverige',
    'Norge',
    'Danmark',
    'Suomi',
    'Polska',
    'Turkey',
    'Holland',
  ];
  const all = [...known.filter((name) => name !== undefined), ...other];
  return all
    .map((name) => Buffer.from(name.replace(/[.()]/g, String.raw`\$&`)).toString('latin1'))
    .sort((a, b) => b.length - a.length);
}
