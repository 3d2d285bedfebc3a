import { CLASS, COLON, DOT, LOWER, SPACE, textOf, UPPER } from '../../bytes.ts';
import { FIRST_NAME, LAST_NAME } from '../../data/name-list.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { isName, legalStart, MAX_WORDS, nameStart } from '../../families/names/firm-name.ts';
import { isCapital, kindOf, wordEnd, wordStart } from '../../families/names/person-name.ts';
import { isProse } from '../../families/names/prose.ts';
import { maskInitials } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const LEGAL =
  /^ (?:Inc|Incorporated|Ltd|Limited|LLC|LLP|L\.L\.C|Corp|Corporation|Company|Co|PLC|plc|Plc|GmbH|AG|KG|KGaA|SE|S\.A\.S?|SA|SAS|SARL|S\.r\.l|S\.p\.A|SpA|Srl|BV|B\.V|NV|N\.V|AB|AS|ASA|ApS|A\/S|Oy|Oyj|Kft|Zrt|s\.r\.o|a\.s|Pty|Sp\. z o\.o|S\.L|Ltda|LTDA|HB|KB|Ky|EI|EIRL|SCI|SNC|e\.V)\.?(?![A-Za-z0-9])/;
const FIRM =
  /^ (?:Technologies|Technology|Software|Consulting|Consultants|Partners|Group|Holdings?|Solutions|Systems|Services|Research|Analytics|Labs|Laboratories|Industries|Enterprises|Associates|Investments|Capital|Ventures|Bank|Insurance|Pharmaceuticals|Logistics|Airlines|Motors|Foundation|Institute|Hospital|University|Media|Networks|and Sons|& Sons|und S\xc3\xb6hne|& S\xc3\xb6hne|e Hijos|y Hijos|et Fils|& Fils|e figli|& figli|& Co|and Company)(?![A-Za-z])\.?/;
/** Right before the name of an employer or the like. */
const CUE =
  /(?:\b(?:work(?:s|ed|ing)?|job|intern(?:ed|ship)?|position|role|career) (?:for|at)|\b(?:years?|months?|summer) at|\b(?:employed|hired|acquired|founded|manufactured|owned|operated) (?:by|at)|\bemployer:?|\b(?:company|organi[sz]ation|firm|vendor|supplier|manufacturer|agency)(?: name)?:?|\b(?:ceo|cto|cfo|founder|director|head|chairman|president|shareholders?|shares|subsidiary|headquarters|offices?|employees|customers?|address) of|\bon behalf of) ["']?$/i;
/** Words directly after it. */
const AFTER =
  /^(?:'s)? (?:offices?|headquarters|employees|shareholders|subsidiary|website|invested|announced|acquired|shares)(?![A-Za-z])/;
/** "Brightwater is a small design agency": between the name and what it is. */
const IS = / (?:is|was) an? (?:[A-Za-z][a-z-]* ){0,4}$/;
const MAX_IS_LENGTH = 60;
const LISTED = /^[A-Z][A-Za-z'-]+(?:, [A-Z][A-Za-z'-]+){1,2},? (?:and|&) [A-Z][A-Za-z'-]+/;

export const organization: Detector = {
  id: 'ORGANIZATION',
  title: 'Name of an organisation',
  category: 'quasi_identifier',
  strength: 'heuristic',
  regulations: [],
  optional: true,
  risk: 1,
  prefilters: [
    { pattern: ' (?:Inc|Ltd|LLC|LLP|Corp|PLC|Plc|GmbH|Limited|Company)' },
    {
      pattern: ' (?:Technolog|Software|Consult|Partners|Group|Holding|Solutions|Systems|Services)',
    },
    {
      pattern:
        ' (?:Research|Analytics|Labs|Industries|Associates|Investments|Capital|Ventures|Bank|and Sons)',
    },
    {
      pattern:
        ' (?:Insurance|Foundation|Institute|Hospital|University|Media|Networks|Enterprises|& Co|& Sons)',
    },
    { pattern: String.raw` (?:AG|AB|AS|SA|BV|NV|Oy|HB|KG|SE|SL)\b` },
    { pattern: ' (?:und S|& S|e Hijos|y Hijos|et Fils|& Fils|e figli|Ltda|LTDA|SARL|Kft|SpA)' },
    { pattern: '[a-z], [A-Z][a-z]' },
    { pattern: '[a-z] [A-Z][a-z]' },
    { pattern: '[a-z] (?:office|headquart|employees|invested|announced|acquired)' },
    { pattern: ' (?:agency|company|firm|startup|retailer|multinational|nonprofit|manufacturer)' },
  ],
  confidence: 0.55,
  context: {
    words: [
      ...[
        'work for',
        'works for',
        'worked for',
        'working for',
        'work at',
        'works at',
        'employed by',
        'employer',
      ],
      ...['company', 'organization', 'organisation', 'vendor', 'supplier', 'manufacturer', 'agency', 'firm'],
      ...['ceo of', 'founder of', 'on behalf of', 'company name', 'provider name'],
    ],
  },
  verify(bytes, at, match) {
    if (bytes[at] === SPACE)
      return isSmallWord(bytes, at) ? described(bytes, at, match) : firm(bytes, at, match);
    if (bytes[at + 1] === 0x2c) return listed(bytes, at, match);
    if (CLASS[bytes[at + 2]!] === UPPER)
      return mayAnnounce(bytes, at) ? announced(bytes, at + 2, match) : rejectMatch(match, 'label');
    return followed(bytes, at + 1, match);
  },
  mask: maskInitials,
  examples: {
    match: [
      { text: 'bought from Driftwood Trading Ltd. yesterday', value: 'Driftwood Trading Ltd.' },
      { text: 'at Aldous Technologies in', value: 'Aldous Technologies' },
      { text: 'Hughes, Castillo and Brennan', value: 'Hughes, Castillo and Brennan' },
      { text: 'I work for Brightwater', value: 'Brightwater' },
      { text: 'Müller & Sohn GmbH', value: 'Müller & Sohn GmbH' },
      { text: 'we bought from Clear Water Trading Ltd yesterday', value: 'Clear Water Trading Ltd' },
      { text: 'Brightwater is a small architecture firm', value: 'Brightwater' },
      { text: 'and the shareholders of Quick Harbor met', value: 'Quick Harbor' },
      { text: 'yesterday Brightwater announced that they would move', value: 'Brightwater' },
    ],
    not: [
      'Inc. 500',
      'the Group was',
      'Open Software Here',
      'Monday, Tuesday and Wednesday',
      'I work for the city',
      'Limited edition',
      'our people: Hughes, Castillo and Brennan',
      'it is a small architecture firm',
      'shareholders of The Firm',
    ],
  },
};

/** "a company", not "and Sons" nor "& Co". */
function isSmallWord(bytes: Buffer, at: number): boolean {
  return (
    CLASS[bytes[at + 1]!] === LOWER &&
    bytes[at + 4] !== SPACE &&
    bytes[at + 3] !== SPACE &&
    bytes[at + 2] !== SPACE
  );
}

/** "Brightwater is a small design agency". */
function described(bytes: Buffer, at: number, match: Match): boolean {
  const before = textOf(bytes, at + 1 - MAX_IS_LENGTH, at + 1);
  const is = IS.exec(before);
  if (is === null) return rejectMatch(match, 'no name before it');
  const end = at + 1 - MAX_IS_LENGTH + is.index;
  if (end <= at + 1 - MAX_IS_LENGTH + 2) return rejectMatch(match, 'no name before it');
  const start = nameStart(bytes, end);
  if (start === end) return rejectMatch(match, 'no name before it');
  match.confidence = 0.5;
  return acceptMatch(match, start, end, REASON.pattern | REASON.contextWord);
}

/** "Driftwood Trading Ltd": from the blank before what firms end with. */
function firm(bytes: Buffer, at: number, match: Match): boolean {
  const text = textOf(bytes, at, at + 20);
  const legal = LEGAL.exec(text)?.[0].length ?? 0;
  const kind = legal > 0 ? legal : (FIRM.exec(text)?.[0].length ?? 0);
  if (kind === 0) return rejectMatch(match, 'legal form');
  const start = legal > 0 ? legalStart(bytes, at) : nameStart(bytes, at);
  if (start === at) return rejectMatch(match, 'no name before it');
  const further = LEGAL.exec(textOf(bytes, at + kind, at + kind + 16))?.[0].length ?? 0;
  let end = at + kind + further;
  if (legal === 0 && bytes[end - 1] === DOT) end--;
  if (legal === 0 && further === 0) match.confidence = 0.5;
  return acceptMatch(match, start, end, REASON.pattern);
}

/** "Hughes, Castillo and Brennan": a list of family names, most of them known. After a colon they are people. */
function listed(bytes: Buffer, at: number, match: Match): boolean {
  const start = wordStart(bytes, at + 1);
  if (!isCapital(bytes, start) || !isFamily(bytes, start, at + 1))
    return rejectMatch(match, 'no family names');
  if (bytes[start - 2] === COLON) return rejectMatch(match, 'list of people');
  const written = LISTED.exec(textOf(bytes, start, start + 80))?.[0];
  if (written === undefined) return rejectMatch(match, 'form');
  const names = written.split(/, |,? (?:and|&) /);
  let known = 0;
  let from = start;
  for (const name of names) {
    const place = bytes.indexOf(name, from, 'latin1');
    from = place + name.length;
    if (!isFamily(bytes, place, from)) return rejectMatch(match, 'no family names');
    if ((kindOf(bytes, place, from) & LAST_NAME) !== 0) known++;
  }
  if (2 * known <= names.length) return rejectMatch(match, 'no family names');
  if (names.length !== 3) match.confidence = 0.35;
  return acceptMatch(match, start, start + written.length, REASON.pattern);
}

/** Known as a name, or not known at all: no everyday word. */
function isFamily(bytes: Buffer, start: number, end: number): boolean {
  const kind = kindOf(bytes, start, end);
  return kind === 0 || (kind & (FIRST_NAME | LAST_NAME)) !== 0;
}

/** "the Brightwater office". */
function followed(bytes: Buffer, end: number, match: Match): boolean {
  const start = nameStart(bytes, end);
  if (start === end || !AFTER.test(textOf(bytes, end, end + 60)))
    return rejectMatch(match, 'no name before it');
  match.confidence = isProse(bytes, start, end) ? 0.5 : 0.45;
  return acceptMatch(match, start, end, REASON.pattern);
}

/** A glance at the last two letters: for, at, by, of, company, firm, agency, vendor, supplier, employer. */
function mayAnnounce(bytes: Buffer, at: number): boolean {
  const last = (bytes[at - 1]! << 8) | bytes[at]!;
  return (
    last === 0x6f72 ||
    last === 0x6174 ||
    last === 0x6279 ||
    last === 0x6f66 ||
    last === 0x6e79 ||
    last === 0x6d65
  );
}

/** "I work for Brightwater": up to five words with capitals; an everyday word is one only where others follow. */
function announced(bytes: Buffer, at: number, match: Match): boolean {
  if (!CUE.test(textOf(bytes, at - 32, at))) return rejectMatch(match, 'label');
  let end = wordEnd(bytes, at);
  let words = 1;
  for (; words < MAX_WORDS && bytes[end] === SPACE; words++) {
    if (CLASS[bytes[end + 1]!] !== UPPER) break;
    end = wordEnd(bytes, end + 1);
  }
  if (!isName(bytes, at) && (words === 1 || isThe(bytes, at))) return rejectMatch(match, 'everyday word');
  if (bytes[end - 1] === 0x73 && bytes[end - 2] === 0x27) end -= 2;
  match.confidence = 0.5;
  return acceptMatch(match, at, end, REASON.pattern | REASON.contextWord);
}

function isThe(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x54 && bytes[at + 1] === 0x68 && bytes[at + 2] === 0x65;
}
