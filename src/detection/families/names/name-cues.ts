import { isPair, pairSet } from '../../byte-pairs.ts';
import { byteSet, CLASS, COLON, DOT, NEWLINE, runStart, SPACE, textOf } from '../../bytes.ts';
import { CUE, FIRST_NAME, HINT, kindOfWord, mayEndCue } from '../../data/name-list.ts';
import { type PersonName, wordStart } from './person-name.ts';

const TITLES =
  'Mrs?|Ms|Mx|Dr|Prof|Miss|Sir|Herr|Frau|Fr|Sra?|Señora?|Mme|Mlle|M|Sig|Signora?|Rev|Hon|Capt|Lt|Sgt';
const TITLED = new RegExp(`(?:^|[^A-Za-z])(?:${TITLES})\\.? ?$`);
/** Words that directly precede a name and nothing else; `sure` also before a word that no list contains. */
const SURE =
  /(?:\bname(?: is|'s|:|\?)|\b(?:first|last|family|maiden|full)[ _]name|call(?:ed|s)? (?:me|him|her)|\b(?:named|called)(?: (?:him|her))?|\bdear|\bnée|\bregards,|\bsincerely,|\bsigned:?|\bsigned by|\b(?:my|his|her|their|our) (?:kid|child|son|daughter|wife|husband|brother|sister|mother|father|friend|colleague|boss|partner|spouse)|\battn:?|\bc\/o)[ \t\r\n"'>]{1,6}$/i;
const LIKELY =
  /(?:\b(?:i am|i'm|this is|hi|hello|hey|thanks|thank you|said|says|asked|told|by|by:|contact|patient|guardian|beneficiary|spouse|wife|husband|son|daughter|brother|sister|mother|father|kid|child|partner|customer|client|employee|manager|director|attorney|nurse|professor|author|from:|to:|cc:|user:|name))[ \t"']{1,6}$/i;
/** What only a person does, or a spokesperson. */
const SPOKEN = /\b(?:said|says|asked|told|replied) $/;
/** What only a person does. */
const DOES =
  /^(?: (?:lives|said|says|told|asked|wrote|replied|shouted|was born|grew up)\b|'s (?:wife|husband|son|daughter|birthday|kid|address))/;
const CUE_BACK = 36;
/** A name after one of these is often a place; after the captured ones only a single word that is known as more than a given name. */
const PLACED = /\b(?:in|near|via|through|around|southern|northern|university of|(to|from|at|of)) $/i;
const BEFORE_NAME = byteSet('  \t\t\r\r\n\n""\'\'>>');
const COMMA = 0x2c;
const QUESTION = 0x3f;
/** The last two bytes of each word in TITLED, SURE, LIKELY and SPOKEN. */
const ANNOUNCING = pairSet(
  'mr rs ms mx dr of ss ir rr au fr sr ra or me le *m ig ev on pt lt gt ' +
    "is 's e: e? im er ed ar s, y, d: by id ld fe nd ue se tn n: /o " +
    'hi lo ey ks ou ys y: ct nt an ry ee m: o: c: r:',
);
const PLACING = pairSet('in to om at ar of ia gh nd rn');
/** The first two letters of each word in DOES. */
const DOING = pairSet('li sa to as wr re sh wa gr');

/** Whether a cue introduces the name: a word such as "Dear", "name is", "signed by", or a mark. */
export function announced(bytes: Buffer, start: number): boolean {
  const before = kindBefore(bytes, start);
  if (before === MARK) return true;
  if ((before & CUE) !== 0) return true;
  // "is" and "by" are too common alone: only "name is" and "signed by" count.
  return (
    (before & HINT) !== 0 &&
    bytes[start - 4] === SPACE &&
    (bytes[start - 5] === 0x65 || bytes[start - 5] === 0x64)
  );
}

const MARK = -1;

/** The kind of the preceding word if it is a cue or a hint, or MARK. */
function kindBefore(bytes: Buffer, start: number): number {
  let end = start - 1;
  if (bytes[end] !== SPACE && bytes[end] !== NEWLINE) return MARK;
  while (end > start - 4 && bytes[end - 1]! <= SPACE && bytes[end - 1] !== 0) end--;
  if (bytes[end - 1] === DOT) end--;
  const last = bytes[end - 1]!;
  if (CLASS[last] === 0 && last < 0x80)
    return last === QUESTION || last === COLON || last === COMMA ? MARK : 0;
  return mayEndCue(bytes, end) ? kindOfWord(bytes, wordStart(bytes, end), end) : 0;
}

/** Whether the words before indicate a place instead of a person. */
export function isPlaced(bytes: Buffer, { start, kinds }: PersonName): boolean {
  if (bytes[start - 1] !== SPACE || !isPair(PLACING, bytes, start - 3)) return false;
  const placed = PLACED.exec(textOf(bytes, start - 16, start));
  if (placed === null || placed[1] === undefined) return placed !== null;
  return kinds.length === 1 && kinds[0] !== FIRST_NAME;
}

/** Confidence that the text before and after adds for a name; 0: none. */
export function cueOf(bytes: Buffer, { start, end, kinds }: PersonName, own: number): number {
  const kind = kindBefore(bytes, start);
  if ((kind === MARK || (kind & (CUE | HINT)) !== 0) && mayBeAnnounced(bytes, start)) {
    const before = textOf(bytes, start - CUE_BACK, start);
    if (TITLED.test(before) || SURE.test(before)) return 0.6;
    if (own === 0 && kinds.length === 1 && SPOKEN.test(before)) return 0.5;
    if ((own > 0 || kinds.length > 1) && LIKELY.test(before)) return 0.6;
  }
  return own > 0 && does(bytes, end) ? 0.6 : 0;
}

function does(bytes: Buffer, end: number): boolean {
  if (bytes[end] === SPACE ? !isPair(DOING, bytes, end + 1) : bytes[end] !== 0x27) return false;
  return DOES.test(textOf(bytes, end, end + 16));
}

/** Whether an expression for the words before a name may match, tested by their last two bytes. */
function mayBeAnnounced(bytes: Buffer, start: number): boolean {
  const end = runStart(bytes, start, 7, BEFORE_NAME);
  return isPair(ANNOUNCING, bytes, bytes[end - 1] === DOT ? end - 3 : end - 2);
}
