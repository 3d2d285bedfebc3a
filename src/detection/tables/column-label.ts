/** Reads the kind of a column from its name. */
import { LABEL_WORDS, type LabelKind, type LabelLanguage } from './label-words.ts';

export interface ColumnLabel {
  readonly kind: LabelKind;
  /** Other things are called so as well: the values must support the label. */
  readonly weak: boolean;
}

interface CompiledLabel extends ColumnLabel {
  readonly language: LabelLanguage;
  readonly test: RegExp;
}

const HUMPS = /(\p{Ll})(\p{Lu})/gu;
const LETTERS_BEYOND: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ı: 'i',
  ø: 'o',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
};
const MAX_CACHED = 4096;
const IDEOGRAPHS = /[\u3000-\u9fff\uff00-\uffef]/u;

/** The words of a name without case, accents and separators: "Straße_und-Nr." becomes "strasse und nr". */
export function labelText(name: string): string {
  return name
    .replace(HUMPS, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßłıøđæœ]/g, (letter) => LETTERS_BEYOND[letter]!)
    .replace(/[^\p{L}\p{N}〒]+/gu, ' ')
    .trim();
}

const LABELS: readonly CompiledLabel[] = Object.entries(LABEL_WORDS).flatMap(([kind, languages]) =>
  Object.entries(languages).flatMap(([language, words]) =>
    words.split('|').map((label) => compiled(kind as LabelKind, language as LabelLanguage, label)),
  ),
);

function compiled(kind: LabelKind, language: LabelLanguage, label: string): CompiledLabel {
  const whole = label.startsWith('=');
  const weak = label.startsWith('=?');
  const words = label.replace(/^=\??/, '').split('*').map(withBlanks);
  const body = words
    .map((part) => part.replaceAll(' ', ' ?'))
    .join(IDEOGRAPHS.test(label) ? '.*' : '[\\p{L}\\p{N}]*');
  if (IDEOGRAPHS.test(label))
    return { kind, language, weak, test: new RegExp(whole ? `^${body}$` : body, 'u') };
  return { kind, language, weak, test: new RegExp(whole ? `^${body}$` : `(?:^| )${body}s?(?= |\\d|$)`, 'u') };
}

/** Blanks beside a star belong to the label. */
function withBlanks(part: string): string {
  return `${part.startsWith(' ') ? ' ' : ''}${labelText(part)}${part.endsWith(' ') ? ' ' : ''}`;
}

const cache = new Map<string, ColumnLabel | null>();

/** Null: no label that is known. */
export function columnLabel(name: string): ColumnLabel | null {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const text = labelText(name);
  const found = LABELS.find(({ test }) => test.test(text)) ?? null;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(name, found);
  return found;
}
