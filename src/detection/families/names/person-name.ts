import { CLASS, DASH, DOT, LOWER, SPACE, textOf, UPPER } from '../../bytes.ts';
import {
  EVERYDAY,
  FIRST_NAME,
  isName,
  isNameAt,
  kindOfWord,
  LAST_NAME,
  MAX_WORD_LENGTH,
  NAME_BYTE,
  PLACE,
} from '../../data/name-list.ts';
import { endsLikeFamily } from './family-endings.ts';

/** A sequence of capitalised words that may be a person's name. */
export interface PersonName {
  readonly start: number;
  readonly end: number;
  /** What the name list knows about each word; without initials and particles such as "van der". */
  readonly kinds: readonly number[];
  readonly initials: boolean;
  /** More capitalised words follow that belong to something else: Orla Consulting, Johnson Street. */
  readonly cut: boolean;
}

const MAX_WORDS = 4;
const APOSTROPHE = 0x27;
const CAPITAL_I = 0x49;
const PARTICLE =
  /^(?:(?:van|von|vom|zu|zum|zur|de|der|den|da|di|del|della|dos|das|du|la|le|el|al|bin|ibn|ben|ter|ten|af|av|y|e) ){1,3}/;
/** Returns null if no name can begin here. */
export function parseName(bytes: Buffer, start: number): PersonName | null {
  let words = 0;
  let initials = false;
  let at = start;
  let cut = false;
  while (words < MAX_WORDS && isCapital(bytes, at)) {
    // Karlsson HB, Reis LTDA: upper-case words after a name are a legal form.
    cut = words > 0 && CLASS[bytes[at + 1]!] === UPPER;
    if (cut) break;
    const end = wordEnd(bytes, at);
    if (end - at === 1) initials = true;
    else {
      starts[words] = at;
      ends[words] = end;
      kindsOf[words++] = kindOf(bytes, at, end);
    }
    if (withoutGenitive(bytes, end) !== end) break;
    const next = nextWord(bytes, end - at === 1 && bytes[end] === DOT ? end + 1 : end);
    if (next === 0) break;
    at = next;
  }
  return trimmed(bytes, words, initials && words > 0, cut);
}

/** Reused for each name that is parsed, to avoid allocations: most candidates are rejected. */
const starts = new Int32Array(MAX_WORDS);
const ends = new Int32Array(MAX_WORDS);
const kindsOf = new Uint8Array(MAX_WORDS);

/** "Hello Maria", "Johnson Street": drops everyday words at both ends, which belong to the sentence. */
function trimmed(bytes: Buffer, words: number, initials: boolean, cut: boolean): PersonName | null {
  let first = 0;
  while (first < words && isEveryday(kindsOf[first]!)) first++;
  let last = words - 1;
  if (!initials) while (last >= first && isOnlyEveryday(kindsOf[last]!)) last--;
  if (last < first) return null;
  const kinds: number[] = [];
  for (let n = first; n <= last; n++) kinds.push(kindsOf[n]!);
  const end = withoutGenitive(bytes, ends[last]!);
  return { start: starts[first]!, end, kinds, initials, cut: cut || last < words - 1 };
}

/** Hill and Young are family names as well, so they don't count as everyday words only. */
function isOnlyEveryday(kind: number): boolean {
  return (kind & (EVERYDAY | FIRST_NAME | LAST_NAME)) === EVERYDAY;
}

function isEveryday(kind: number): boolean {
  return (kind & EVERYDAY) !== 0 && (kind & FIRST_NAME) === 0;
}

export function kindOf(bytes: Buffer, start: number, end: number): number {
  const to = withoutGenitive(bytes, end);
  const kind = kindOfWord(bytes, start, to);
  if (kind !== 0) return kind;
  if (bytes[start + 1] === APOSTROPHE && bytes[start] === CAPITAL_I) return EVERYDAY; // I'm, I've
  if (endsLikeFamily(bytes, start, to)) return LAST_NAME;
  // Anna-Lena, Müller-Lind: classified by the first part.
  for (let i = start + 1; i < to; i++) if (bytes[i] === DASH) return kindOfWord(bytes, start, i);
  return 0;
}

/** Whether the word that begins here is a known name or has the suffix of one. Cheap: reads only this word, and most are rejected. */
export function mayBeName(bytes: Buffer, start: number): boolean {
  if (isNameAt(bytes, start)) return true;
  const end = wordEnd(bytes, start);
  const to = withoutGenitive(bytes, end);
  return to === end ? endsLikeFamily(bytes, start, end) : isName(bytes, start, to);
}

/** Strips the genitive of "Maria's", but not from "O'Brien". */
function withoutGenitive(bytes: Buffer, end: number): number {
  return bytes[end - 1] === 0x73 && bytes[end - 2] === APOSTROPHE ? end - 2 : end;
}

export function wordEnd(bytes: Buffer, from: number): number {
  let end = from;
  while (end < from + MAX_WORD_LENGTH && NAME_BYTE[bytes[end]!] !== 0) end++;
  while (end > from && (bytes[end - 1] === DASH || bytes[end - 1] === APOSTROPHE)) end--;
  return end;
}

/** The start of the word that ends before `to`. */
export function wordStart(bytes: Buffer, to: number): number {
  let start = to;
  while (start > to - MAX_WORD_LENGTH && NAME_BYTE[bytes[start - 1]!] !== 0) start--;
  return start;
}

/** Skips one blank, and a particle such as "van der"; 0 if no further word of a name follows. */
function nextWord(bytes: Buffer, at: number): number {
  if (bytes[at] !== SPACE) return 0;
  if (isCapital(bytes, at + 1)) return at + 1;
  if (CLASS[bytes[at + 1]!] !== LOWER) return 0;
  const particle = PARTICLE.exec(textOf(bytes, at + 1, at + 16))?.[0].length ?? 0;
  return particle > 0 && isCapital(bytes, at + 1 + particle) ? at + 1 + particle : 0;
}

/** A capital letter followed by lower case, an initial, or a Latin letter beyond ASCII. */
export function isCapital(bytes: Buffer, at: number): boolean {
  const byte = bytes[at]!;
  if (byte < 0x80) return CLASS[byte] === UPPER;
  const next = bytes[at + 1]!;
  if (byte === 0xc3) return next >= 0x80 && next <= 0x9e;
  if (byte === 0xc4) return next <= 0xb7 ? (next & 1) === 0 : (next & 1) === 1;
  return byte === 0xc5 && (next <= 0x88 || next >= 0xb9 ? (next & 1) === 1 : (next & 1) === 0);
}

/** Confidence in a name by its words alone; 0: none. */
export function nameConfidence({ kinds, initials, cut }: PersonName): number {
  if (kinds.length === 1 && !initials) return cut ? 0 : loneConfidence(kinds[0]!);
  const own = fullConfidence(kinds[0]!, kinds.at(-1)!, initials);
  return cut ? Math.max(0, own - 0.2) : own;
}

function fullConfidence(first: number, last: number, initials: boolean): number {
  const isFirst = (first & FIRST_NAME) !== 0;
  const firstOnly = isFirst && (first & (EVERYDAY | PLACE)) === 0;
  const lastOnly = (last & (LAST_NAME | EVERYDAY | PLACE)) === LAST_NAME;
  if (isFirst && lastOnly) return 0.65;
  if (firstOnly && ((last & (EVERYDAY | PLACE)) === 0 || (last & LAST_NAME) !== 0 || initials)) return 0.55;
  if (lastOnly || (last & (FIRST_NAME | EVERYDAY | PLACE)) === FIRST_NAME) return 0.45;
  if (firstOnly) return 0.35;
  // Two unknown words that are neither everyday words nor places are usually the name of a person or a thing: weak evidence only.
  return (first | last) === 0 ? UNKNOWN : 0;
}

const UNKNOWN = 0.3;

function loneConfidence(kind: number): number {
  if ((kind & (EVERYDAY | PLACE)) !== 0) return 0;
  return (kind & FIRST_NAME) !== 0 ? 0.35 : (kind & LAST_NAME) !== 0 ? 0.3 : 0;
}
