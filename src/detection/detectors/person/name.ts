import { byteSet, CLASS, COLON, DOT, LOWER, NEWLINE, runEnd, SPACE, textOf, UPPER } from '../../bytes.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { announced } from '../../families/names/name-cues.ts';
import {
  isCapital,
  mayBeName,
  nameConfidence,
  type PersonName,
  parseName,
  wordEnd,
  wordStart,
} from '../../families/names/person-name.ts';
import { subjectOfRecord } from '../../families/names/record-of-name.ts';
import { parseLikelyName, scoreName } from '../../families/names/score-name.ts';
import { parseAssignment } from '../../families/secrets/assignment.ts';
import { maskInitials } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const COMMA = 0x2c;
const ASKED = 6; // name? and a blank

const LABEL =
  /^name$|(?:^|[._-])(?:(?:full|first|last|given|family|middle|maiden|patient|customer|client|employee|member|contact|guardian|student|display|card ?holder|holder|author|owner|recipient|sender)[ _.-]?name|name[ _.-]?(?:first|last|given)|surname|author|creator|artist|owner|manager|(?:created|written|approved|signed|purchased|directed|reviewed|(?:last[ _.-]?)?modified)[ _.-]?by)$/i;
const ONE_WORD = /(?:first|last|given|family|middle|maiden)[ _.-]?name$|surname$/i;
/** Programs, firms and teams are called so too: any two words are no name there. */
const OF_ANYBODY = /(?:creator|artist|owner|manager|modified[ _.-]?by)$/i;
const ANY_WORDS = 0.3; // confidence of a name of unknown words
/** Bytes between a separator and its value. */
const LEAD = byteSet('  \t\t==>>\\\\""\'\'``');
const MAX_LEAD_LENGTH = 20;

const EXAMPLES: Detector['examples'] = {
  match: [
    { text: 'Dear Mr. Peter Müller-Lind,', value: 'Peter Müller-Lind' },
    { text: 'seen by Dr Okonkwo today', value: 'Okonkwo' },
    { text: 'Patient name: Maria Santos', value: 'Maria Santos' },
    { text: '{"first_name": "Maria", "x": 1}', value: 'Maria' },
    { text: 'lastModifiedBy: Xylandra Santos', value: 'Xylandra Santos' },
    { text: 'initial-creator: Xylandra Santos', value: 'Xylandra Santos' },
    { text: 'Artist: Maria Santos', value: 'Maria Santos' },
    { text: 'yesterday Maria Santos came', value: 'Maria Santos' },
    { text: 'My name is Xylandra, thanks', value: 'Xylandra' },
    { text: 'Best regards,\nEleanor Whitcombe\nAccounts', value: 'Eleanor Whitcombe' },
    { text: '{"name": "Maria Santos", "email": "x"}', value: 'Maria Santos' },
    { text: '{"name": "Xylandra Okoro", "phone": "x"}', value: 'Xylandra Okoro' },
    { text: 'signed by Maike van der Berg.', value: 'Maike van der Berg' },
    { text: 'Robert J. Hanley will speak', value: 'Robert J. Hanley' },
    { text: 'later that week Ingrid found the letter', value: 'Ingrid' },
    { text: 'Ingrid lives by the sea', value: 'Ingrid' },
    { text: 'What is your name? Torvald Ekenäs', value: 'Torvald Ekenäs' },
    { text: 'they asked for Unnur Hallgrímsdóttir at noon', value: 'Unnur Hallgrímsdóttir' },
    { text: 'a letter that Renée Zolkiewicz wrote', value: 'Renée Zolkiewicz' },
  ],
  not: [
    'Mr Date of arrival',
    'Creator: Adobe Illustrator',
    'Owner: Acme Holdings',
    'creator: Brightwater Outfitters',
    'Author: Acme Software GmbH',
    'Company: Acme Holdings',
    '"file_name": "Report Final"',
    '"name": "Production"',
    'name = compute_total',
    'Drive Carefully',
    'we flew to New York City',
    'the Grace Period ends',
    'we saw Maria there',
    'in the Virginia Beach office',
    'this is how a Winston logger writes its lines',
    'const week = later(Ingrid, found.the, letter)',
    'the band of the Nordhaven Orchestra',
    '{"alpha_3": "tkv", "name": "Mur Pano", "scope": "I", "type": "L"}',
    '<iso_3166_2_entry code="HN-IB" name="Islas de la Bahía" />',
    '<iso_639_3_entry id="baga" scope="I" name="Baga Koga" />',
    'hi Constant guifg=#ffa0a0',
  ],
};

export const name: Detector = {
  id: 'NAME',
  title: "Person's name",
  category: 'direct_identifier',
  strength: 'heuristic',
  regulations: ['gdpr', 'ccpa', 'hipaa', 'glba', 'ferpa'],
  risk: 5,
  namesAuthors: true,
  prefilters: [
    { pattern: '[a-z] [A-Z][a-z]' },
    { pattern: String.raw`[a-z] [A-Z]\.? [A-Z]` },
    { pattern: '[a-z], [A-Z][a-z]' },
    { pattern: '[a-z] [A-Z][^ -~]' },
    { pattern: '[a-z] (?:Á|Å|Ä|Ç|É|Í|Ó|Ö|Ø|Ú|Ü|Þ)' },
    { pattern: '[a-z] (?:Č|Ć|Đ|Ł|Ő|Ř|Ś|Š|Ş|Ż|Ž)' },
    { pattern: '(?:á|é|ë|í|ó|ú|ý|ć|č|š|ž) [A-Z][a-z]' },
    { pattern: String.raw`\b(?:Mr|Mrs|Ms|Dr|Prof)\.? [A-Z]` },
    { pattern: String.raw`\b(?:Mx|Herr|Frau|Mme|Sra|Miss)\.? [A-Z]` },
    { pattern: String.raw`[,;|\t\n][A-Z][a-z]` },
    { pattern: '[a-z] (?:lives|says|said|shouted|wrote|asked|told|replied|grew up|was born)' },
    { pattern: String.raw`name\? [A-Z]` },
    // The start of a sentence or a list: no other prefilter matches there, and a shorter one would match too often.
    { pattern: String.raw`\b[A-Z][a-z]{2,8} (?:is|was|has|had) ` },
    { pattern: String.raw`\b[A-Z][a-z]{2,8}, (?:can|could|would|will|please|you) ` },
    { pattern: '[a-z0-9]: [A-Z][a-z]{2,8}, [A-Z]' },
    { assigned: ['name', '_by', ' by', '.by', '-by', 'dby', 'nby', 'author', 'first', 'last', 'given'] },
    { assigned: ['creator', 'artist', 'owner', 'manager'] },
  ],
  confidence: 0.55,
  context: {
    words: [
      ...[
        'name',
        'surname',
        'first name',
        'last name',
        'maiden name',
        'name first',
        'name last',
        'name given',
      ],
      ...['dear', 'attn', 'called', 'named', 'call me', 'patient', 'guardian', 'beneficiary', 'spouse'],
      ...['author', 'signed', 'created by', 'purchased by', 'approved by', 'contact person', 'next of kin'],
    ],
    avoid: [
      ...['file name', 'host name', 'user name', 'domain name', 'product name', 'company name', 'class name'],
      ...['table name', 'column name', 'bucket name', 'city', 'country', 'street', 'brand', 'model', 'team'],
    ],
  },
  verify(bytes, at, match) {
    return find(bytes, at, match) && mayBePerson(bytes, match);
  },
  mask: maskInitials,
  examples: EXAMPLES,
};

/** One of the forms of a name at this position. */
function find(bytes: Buffer, at: number, match: Match): boolean {
  const first = bytes[at]!;
  if (bytes[at + 1] === COLON) return parseLikelyName(bytes, at + 3, match);
  if (CLASS[first] === LOWER || first >= 0x80) {
    // A letter beyond ASCII has two bytes.
    const next = first < 0x80 ? at + 1 : at + 2;
    if (bytes[next] === SPACE) return atBlank(bytes, next, match);
    return parseLikelyName(bytes, bytes[next] === COMMA ? at + 3 : at + ASKED, match);
  }
  if (CLASS[first] === UPPER) return atCapital(bytes, at, match);
  return CELL[first] === 1 ? cell(bytes, at + 1, match) : assigned(bytes, at, match);
}

/** A name whose words are known well enough to be a person's in a record that does not say what it is about. */
const SURE_NAME = 0.45;
const GUESS = 0.3;

/** Lowers what is a name of something: by the other fields of its record, or as a word of source code. */
function mayBePerson(bytes: Buffer, match: Match): boolean {
  const { start, end } = match;
  const subject = subjectOfRecord(bytes, start, end);
  if (subject === 'thing') return rejectMatch(match, 'record of a thing');
  if (bytes[end] === SPACE && SETTING.test(textOf(bytes, end, end + 16)))
    return rejectMatch(match, 'setting in source code');
  if (subject === 'unknown') {
    const written = parseName(bytes, start);
    if (written === null || nameConfidence(written) < SURE_NAME) match.confidence = GUESS;
  }
  return true;
}

const SETTING = /^ [a-z]+=/;

function atBlank(bytes: Buffer, blank: number, match: Match): boolean {
  return CLASS[bytes[blank + 1]!] === LOWER ? beforeVerb(bytes, blank, match) : between(bytes, blank, match);
}

/** A title and a name, or a name that begins a sentence: "Ingrid has", "Ingrid, can you". */
function atCapital(bytes: Buffer, at: number, match: Match): boolean {
  const end = wordEnd(bytes, at);
  const isFirst = bytes[end] === COMMA || (bytes[end] === SPACE && CLASS[bytes[end + 1]!] === LOWER);
  if (!isFirst) return titled(bytes, at, match);
  return beginsSentence(bytes, at)
    ? parseLikelyName(bytes, at, match)
    : rejectMatch(match, 'within a sentence');
}

function beginsSentence(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]!;
  return before === SPACE ? CLASS[bytes[at - 2]!] === 0 && bytes[at - 2] !== COMMA : OPENS[before] === 1;
}

const OPENS = byteSet('\x00\x00\n\n\r\r""\'\'((');

/** The blank between two words of which the second has a capital: both may be one name, or the second alone. */
function between(bytes: Buffer, blank: number, match: Match): boolean {
  if (!isCapital(bytes, blank + 1)) return rejectMatch(match, 'small letter');
  const before = wordStart(bytes, blank);
  if (!isCapital(bytes, before) || isMyself(bytes, before)) return parseLikelyName(bytes, blank + 1, match);
  // No text is made of "Getting Started".
  if (
    !mayBeName(bytes, blank + 1) &&
    !mayBeName(bytes, before) &&
    !isInitial(bytes, blank) &&
    !announced(bytes, before)
  )
    return rejectMatch(match, 'words not known as names');
  const written = parseName(bytes, before);
  if (written !== null && written.end > blank) return scoreName(bytes, written, match);
  return parseLikelyName(bytes, blank + 1, match);
}

/** Between two words "D." is an initial, whether the words are known or not. */
function isInitial(bytes: Buffer, blank: number): boolean {
  return bytes[blank + 2] === DOT && bytes[blank + 3] === SPACE && isCapital(bytes, blank + 4);
}

/** "Ingrid lives by the sea": a name that begins a text or a sentence, where no other prefilter matches. */
function beforeVerb(bytes: Buffer, blank: number, match: Match): boolean {
  const start = wordStart(bytes, blank);
  return isCapital(bytes, start) ? parseLikelyName(bytes, start, match) : rejectMatch(match, 'small letter');
}

/** I'm, I've: a capital, but no name. */
function isMyself(bytes: Buffer, start: number): boolean {
  return bytes[start] === 0x49 && bytes[start + 1] === 0x27;
}

function titled(bytes: Buffer, at: number, match: Match): boolean {
  const blank = runEnd(bytes, at, 6, TITLE);
  // An initial is no beginning of a name.
  if (bytes[blank] !== SPACE || wordEnd(bytes, blank + 1) < blank + 3)
    return rejectMatch(match, 'no name after title');
  const title = /^(?:Mrs?|Ms|Mx|Dr|Prof|Herr|Frau|Mme|Sra|Miss)\.? /.exec(textOf(bytes, at, at + 7))?.[0];
  if (title === undefined) return rejectMatch(match, 'title');
  const written = parseName(bytes, at + title.length);
  if (written === null || written.start !== at + title.length)
    return rejectMatch(match, 'no name after title');
  match.confidence = 0.75;
  return acceptMatch(match, written.start, written.end, REASON.pattern | REASON.contextWord);
}

const TITLE = byteSet('azAZ..');

/** A table cell that consists of a name, in a column labelled as name. */
function cell(bytes: Buffer, at: number, match: Match): boolean {
  const end = wordEnd(bytes, at);
  const next = bytes[end]!;
  // The speaker in a chat or a play.
  if (next === COLON) return parseLikelyName(bytes, at, match);
  if (next !== SPACE && next !== DOT && BORDER[next] === 0) return rejectMatch(match, 'more than a name');
  if (next === SPACE && CLASS[bytes[end + 1]!] === LOWER) return rejectMatch(match, 'more than a name');
  const written = parseName(bytes, at);
  if (written === null || written.start !== at || !isValue(bytes, written))
    return rejectMatch(match, 'more than a name');
  const own = nameConfidence(written);
  if (own === 0 && written.kinds.length < 2) return rejectMatch(match, 'words not known as names');
  if (!match.hasLabel(at)) return scoreName(bytes, written, match);
  match.confidence = own >= 0.3 ? Math.min(0.85, own + 0.25) : 0.5;
  return acceptMatch(match, written.start, written.end, REASON.pattern);
}

const CELL = byteSet(',,;;||\t\t\n\n');
const BORDER = byteSet('\x00\x00\t\t\n\n\r\r""\'\',,;;||>><<');

/** All of a cell or a quoted text. */
function isValue(bytes: Buffer, { start, end }: PersonName): boolean {
  return BORDER[bytes[start - 1]!] === 1 && BORDER[bytes[end]!] === 1;
}

function assigned(bytes: Buffer, at: number, match: Match): boolean {
  if (!isCapital(bytes, runEnd(bytes, at + 1, MAX_LEAD_LENGTH, LEAD)))
    return rejectMatch(match, 'small letter');
  const field = parseAssignment(bytes, at);
  if (field === null || !LABEL.test(field.name)) return rejectMatch(match, 'field name');
  const written = parseName(bytes, field.start);
  if (written === null || written.start !== field.start) return rejectMatch(match, 'everyday words');
  const end = field.quoted ? field.end : lineEnd(bytes, field.start);
  if (written.end !== end) return rejectMatch(match, 'more than a name');
  // A single word is a name only where one is expected, or if it is a known name.
  const own = nameConfidence(written);
  const known = own > 0;
  if (own <= ANY_WORDS && OF_ANYBODY.test(field.name)) return rejectMatch(match, 'words not known as names');
  if (!known && written.kinds.length < 2 && !ONE_WORD.test(field.name)) return rejectMatch(match, 'one word');
  match.confidence = known ? 0.75 : 0.6;
  return acceptMatch(match, written.start, written.end, REASON.pattern | REASON.contextWord);
}

function lineEnd(bytes: Buffer, from: number): number {
  let end = wordEnd(bytes, from);
  while (end < from + 64 && bytes[end]! >= SPACE && END[bytes[end]!] === 0) end++;
  while (end > from && bytes[end - 1] === SPACE) end--;
  return bytes[end] === NEWLINE ? end : end;
}

const END = byteSet(',,;;<<||((..');
