import { CLASS, DOT, LOWER, NEWLINE, SPACE, textOf } from '../../bytes.ts';
import { EVERYDAY, FIRST_NAME, LAST_NAME, PLACE } from '../../data/name-list.ts';
import { isPlaced } from './name-cues.ts';
import { isCapital, kindOf, type PersonName, wordEnd, wordStart } from './person-name.ts';
import { isProse } from './prose.ts';

const NAMES = FIRST_NAME | LAST_NAME;
const COMMA = 0x2c;
const QUOTED = 0x3e; // marks a quoted line of a mail

/**
 * Known names with little other evidence are accepted in a sentence, in a list of names and on a line of their own. Elsewhere they are
 * just as often a title, a product or a heading.
 */
export function isPlausibleName(bytes: Buffer, written: PersonName): boolean {
  const { start, end, kinds, initials } = written;
  if (!initials && !kinds.some((kind) => (kind & NAMES) !== 0)) return false;
  const lone = kinds.length === 1;
  if (lone ? isListed(bytes, start, end) : isLine(bytes, start, end)) return true;
  if (lone ? followsArticle(bytes, start) : isPlaced(bytes, written)) return false;
  return isProse(bytes, start, end) && ((kinds[0]! & FIRST_NAME) !== 0 || !isGerman(bytes, start, end));
}

/** In German every noun is capitalised, and many family names are nouns: Koch, Bauer, Richter. */
function isGerman(bytes: Buffer, start: number, end: number): boolean {
  return GERMAN.test(textOf(bytes, start - AROUND, end + AROUND));
}

const AROUND = 80;
const GERMAN = / (?:der|die|das|und|den|dem|des|ist|ein|einen?|mit|von|zum?|zur|im|auf|nicht) /;

/** "a Winston logger", "das Tor": a thing of that name. */
function followsArticle(bytes: Buffer, start: number): boolean {
  return ARTICLE.test(textOf(bytes, start - 7, start));
}

const ARTICLE =
  /[^A-Za-z\x80-\xff](?:an?|the|der|die|das|de[mns]|eine?[mnrs]?|im|les?|la|une?|el|los|las|il) $/i;

/** Whether it fills its line, apart from the quote marks of a mail. */
function isLine(bytes: Buffer, start: number, end: number): boolean {
  const after = bytes[end]!;
  if (after !== NEWLINE && after !== 0x0d && after !== 0) return false;
  let i = start - 1;
  while (i > start - 4 && (bytes[i] === SPACE || bytes[i] === QUOTED)) i--;
  return bytes[i] === NEWLINE || bytes[i] === 0;
}

/** Anna, Derek and Hannah: next to another name, separated by a comma or "and". */
function isListed(bytes: Buffer, start: number, end: number): boolean {
  const next = behindJoint(bytes, end);
  if (next > 0 && isSurelyName(bytes, next, wordEnd(bytes, next))) return true;
  const last = beforeJoint(bytes, start);
  return last > 0 && isSurelyName(bytes, wordStart(bytes, last), last);
}

function isSurelyName(bytes: Buffer, start: number, end: number): boolean {
  if (!isCapital(bytes, start) || bytes[end] === DOT) return false;
  const kind = kindOf(bytes, start, end);
  return (kind & NAMES) !== 0 && (kind & (EVERYDAY | PLACE)) === 0;
}

/** The start of the word after ", " or " and "; 0 if there is none. */
function behindJoint(bytes: Buffer, end: number): number {
  if (bytes[end] === COMMA) return bytes[end + 1] === SPACE ? end + 2 : 0;
  return isAnd(bytes, end) ? end + 5 : 0;
}

function beforeJoint(bytes: Buffer, start: number): number {
  if (bytes[start - 1] !== SPACE) return 0;
  if (bytes[start - 2] === COMMA) return start - 2;
  return isAnd(bytes, start - 5) && CLASS[bytes[start - 6]!] === LOWER ? start - 5 : 0;
}

function isAnd(bytes: Buffer, at: number): boolean {
  return (
    bytes[at] === SPACE &&
    bytes[at + 1] === 0x61 &&
    bytes[at + 2] === 0x6e &&
    bytes[at + 3] === 0x64 &&
    bytes[at + 4] === SPACE
  );
}
