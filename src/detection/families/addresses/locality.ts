import { byteSet, isDigit, textOf } from '../../bytes.ts';

/**
 * The part of an address after the street: town, state, postal code and country, on the same line or those below. A town alone is not
 * enough; it must have a postal code, a two-letter state or a country.
 */
const GAP = String.raw`(?:,? ?\r?\n{1,2}[ \t]*(?:[>?|]+ ?)?(?:, ?)?|,? )`;
/**
 * Each word can be matched in one way only. If words could also be split at hyphens or capitals, a hostile line would cause exponential
 * backtracking.
 */
const WORD = String.raw`[A-Z\x80-\xff][A-Za-z\x80-\xff']*\.?`;
const IN_BRACKETS = String.raw`\([A-Z\x80-\xff](?:[A-Za-z\x80-\xff'-]|\.(?=[A-Z\x80-\xff )])| (?=[A-Z\x80-\xff)]))*\)`;
const MORE_WORDS = String.raw`(?:(?: |-+)${WORD}|-+[a-z'][A-Za-z\x80-\xff']*\.?| [a-z']{1,4}(?=[ -][A-Z\x80-\xff]))*`;
const TOWN = `(?:${WORD}|${IN_BRACKETS}|[a-z]{1,4}(?= [A-Z]))${MORE_WORDS}-*`;
const STATE = String.raw`(?:[A-Z]{2,3}|\d{2})`;
export const POSTAL = String.raw`(?:\d{5}(?:-\d{3,4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{3} \d{2}|(?:[A-Z]{1,2}-)?\d{4,6})`;
const MAX_LENGTH = 140;

/** What must occur in a locality: a number, a country name, or a military post office. */
const NUMBER = 1;
const COUNTRY = 2;
const MILITARY = 4;

interface Form {
  readonly needs: number;
  readonly shape: RegExp;
}

/** The forms, and by the hash of three bytes whether a country's name begins with them. */
let known: { readonly forms: readonly Form[]; readonly heads: Uint8Array } | null = null;

export function localityEnd(bytes: Buffer, from: number): number {
  known ??= localities();
  const parts = BEGINS[bytes[from]!] === 1 ? partsOf(bytes, from, known.heads) : 0;
  if (parts === 0) return from;
  const text = textOf(bytes, from, from + MAX_LENGTH);
  for (const { needs, shape } of known.forms) {
    const length = (parts & needs) === 0 ? 0 : (shape.exec(text)?.[0].length ?? 0);
    if (length > 0) return from + length;
  }
  return from;
}

const BEGINS = byteSet(',,  \r\r\n\n');
const INSIDE = byteSet("azAZ09\x80\xff,,  \r\r\n\n\t\t>>??||''--..()&&");
const GAPS = byteSet(',,  \r\r\n\n\t\t>>??||');

/** Which parts may occur in the next bytes. The expressions are expensive, and most lines contain none of the parts. */
function partsOf(bytes: Buffer, from: number, heads: Uint8Array): number {
  let parts = 0;
  const stop = from + MAX_LENGTH;
  for (let i = from; i < stop && INSIDE[bytes[i]!] === 1; i++) {
    const b = bytes[i]!;
    if (isDigit(b)) parts |= NUMBER;
    else if (GAPS[bytes[i - 1]!] === 1 && GAPS[b] === 0) parts |= wordPart(bytes, i, heads);
  }
  return parts;
}

function wordPart(bytes: Buffer, at: number, heads: Uint8Array): number {
  const second = bytes[at + 1]!;
  const military = (second | 32) === 0x70 && (bytes[at + 2]! | 32) === 0x6f;
  return (military ? MILITARY : 0) | (heads[headOf(bytes[at]!, second, bytes[at + 2]!)]! * COUNTRY);
}

function headOf(first: number, second: number, third: number): number {
  return (first & 31) | ((second & 31) << 5) | ((third & 31) << 10);
}

function localities(): { readonly forms: readonly Form[]; readonly heads: Uint8Array } {
  const names = countries();
  const heads = new Uint8Array(1 << 15);
  for (const name of names) {
    const [first = 0, second = 0, third = 0] = Buffer.from(name.replaceAll('\\', ''), 'latin1');
    if (name.length > 2) heads[headOf(first, second, third)] = 1;
    else for (let any = 0; any < 32; any++) heads[headOf(first, second, any)] = 1;
  }
  const country = `(?:${names.join('|')})(?: \\([A-Z][a-z]+\\))?`;
  const end = '(?![\\w-])';
  const form = (needs: number, written: string) => ({ needs, shape: new RegExp(`^${written}${end}`) });
  return {
    heads,
    forms: [
      form(MILITARY, `${GAP}(?:[AFD]PO|[afd]po),? (?:A[AEP]|a[aep])(?: \\d{5}(?:-\\d{4})?)?`),
      form(NUMBER, `${GAP}${POSTAL}(?: ${STATE})? ${TOWN}(?:${GAP}${country})?(?:${GAP}${POSTAL})?`),
      form(COUNTRY, `(?:${GAP}${TOWN})?(?:${GAP}${STATE})?${GAP}${country}(?:${GAP}${POSTAL})?`),
      form(NUMBER, `${GAP}${TOWN}(?:${GAP}${STATE})(?:${GAP}${POSTAL})(?:${GAP}${country})?`),
      form(NUMBER, `${GAP}${TOWN}${GAP}${POSTAL}(?:${GAP}${country})?`),
    ],
  };
}

/** The names in the runtime's language data (Intl), and some aliases. */
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
