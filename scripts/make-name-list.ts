/**
 * `node scripts/make-name-list.ts`: writes src/detection/data/names.txt, the words that the detector of names uses. One
 * line a word, in small ASCII letters where it has them, then a tab and what it is: 1 a first name, 2 a family name, 4 an
 * everyday word, 8 a place, 16 a word that announces a name, 32 one that may; the sum where it is several. The facts come from the locales of @faker-js/faker.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allLocales, type LocaleDefinition } from '@faker-js/faker';
import { COMMON_NAMES } from './name-list/common-names.ts';
import { CUES, EVERYDAY, HINTS } from './name-list/everyday-words.ts';
import { toLatin } from './name-list/to-latin.ts';

const FIRST = 1;
const LAST = 2;
const WORD = 4;
const PLACE = 8;
const CUE = 16;
const HINT = 32;
const MIN_LENGTH = 3; // of a name; "my" and "Mr" are words
const MAX_LENGTH = 24; // bytes

const flags = new Map<string, number>();
for (const locale of Object.values(allLocales)) addLocale(locale);
for (const name of COMMON_NAMES.first) add(name, FIRST);
for (const name of COMMON_NAMES.last) add(name, LAST);
for (const word of EVERYDAY) add(word, WORD);
for (const word of CUES) add(word, CUE);
for (const word of HINTS) add(word, HINT);
const lines = [...flags].sort(([a], [b]) => (a < b ? -1 : 1)).map(([word, sum]) => `${word}\t${sum}\n`);
writeFileSync(join(import.meta.dirname, '../src/detection/data/names.txt'), lines.join(''));

function addLocale({ person, location, word, metadata }: LocaleDefinition): void {
  for (const name of strings(person?.first_name)) add(name, FIRST);
  for (const name of strings(person?.last_name)) add(name, LAST);
  if (metadata?.code !== 'en') return;
  for (const name of [location?.city_name, location?.country, location?.state, location?.continent])
    for (const place of strings(name)) add(place, PLACE);
  for (const common of strings(word)) add(common, WORD);
}

/** All texts of a definition, whatever it is nested in. */
function strings(definition: unknown): string[] {
  if (typeof definition === 'string') return [definition];
  if (typeof definition !== 'object' || definition === null) return [];
  return Object.values(definition).flatMap(strings);
}

/** Names of several words are recognised by their single words; people write them with and without accents. */
function add(name: string, flag: number): void {
  const latin = toLatin(name);
  for (const written of new Set([latin, plain(latin)])) {
    const word = written.replace(/[A-Z]/g, (capital) => capital.toLowerCase());
    if (
      !/^\p{Script=Latin}[\p{Script=Latin}'’-]+$/u.test(word) ||
      word.length < (flag >= WORD && flag !== PLACE ? 2 : MIN_LENGTH)
    )
      continue;
    if (Buffer.byteLength(word) <= MAX_LENGTH) flags.set(word, (flags.get(word) ?? 0) | flag);
  }
}

/** Without accents: Müller is Muller, Łukasz is Lukasz. */
function plain(name: string): string {
  const single: Readonly<Record<string, string>> = {
    ø: 'o',
    Ø: 'O',
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
    ß: 'ss',
    ð: 'd',
    þ: 'th',
    Þ: 'Th',
    æ: 'ae',
    Æ: 'Ae',
    ı: 'i',
  };
  return name
    .replace(/[øØłŁđĐßðþÞæÆı]/g, (letter) => single[letter]!)
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}
