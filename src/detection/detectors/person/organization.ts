import { CLASS, DOT, SPACE, textOf, UPPER } from '../../bytes.ts';
import { EVERYDAY, FIRST_NAME, kindOfWord, LAST_NAME } from '../../data/name-list.ts';
import { type Detector, found, type Match, refused } from '../../detector.ts';
import { isCapital, wordEnd, wordStart } from '../../families/written-name.ts';
import { maskInitials } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const LEGAL =
  /^ (?:Inc|Incorporated|Ltd|Limited|LLC|LLP|L\.L\.C|Corp|Corporation|Company|Co|PLC|plc|Plc|GmbH|AG|KG|KGaA|SE|S\.A\.S?|SA|SAS|SARL|S\.r\.l|S\.p\.A|SpA|Srl|BV|B\.V|NV|N\.V|AB|AS|ASA|ApS|A\/S|Oy|Oyj|Kft|Zrt|s\.r\.o|a\.s|Pty|Sp\. z o\.o|S\.L|Ltda|LTDA|HB|KB|Ky|EI|EIRL|SCI|SNC|e\.V)\.?(?![A-Za-z0-9])/;
const FIRM =
  /^ (?:Technologies|Technology|Software|Consulting|Consultants|Partners|Group|Holdings?|Solutions|Systems|Services|Research|Analytics|Labs|Laboratories|Industries|Enterprises|Associates|Investments|Capital|Ventures|Bank|Insurance|Pharmaceuticals|Logistics|Airlines|Motors|Foundation|Institute|Hospital|University|Media|Networks|and Sons|& Sons|und S\xc3\xb6hne|& S\xc3\xb6hne|e Hijos|y Hijos|et Fils|& Fils|e figli|& figli|& Co|and Company|Van Lines)(?![A-Za-z])\.?/;
/** Right before the name of an employer or the like. */
const CUE =
  /(?:\b(?:work(?:s|ed|ing)?|job) (?:for|at)|\bemployed (?:by|at)|\bemployer:?|\b(?:company|organi[sz]ation|firm|vendor|supplier|manufacturer|agency)(?: name)?:?|\b(?:ceo|cto|cfo|founder|director|head|chairman) of|\bon behalf of|\bacquired by|\bsubsidiary of) ["']?$/i;
/** Right behind it. */
const AFTER =
  /^(?:'s)? (?:office|offices|headquarters|employees|website|resignation|is a (?:design|software|consulting|marketing)|is an? [A-Z]?\w+ (?:multinational|company|bank|agency|firm)|invested|announced|acquired|shares)(?![A-Za-z])/;
const LISTED = /^[A-Z][A-Za-z'-]+(?:, [A-Z][A-Za-z'-]+){1,2},? (?:and|&) [A-Z][A-Za-z'-]+/;
const MOST_WORDS = 5;

export const organization: Detector = {
  id: 'ORGANIZATION',
  title: 'Name of an organisation',
  category: 'quasi_identifier',
  standing: 'guessed',
  regulations: [],
  optional: true,
  risk: 1,
  anchors: [
    { pattern: String.raw` (?:Inc|Ltd|LLC|LLP|Corp|PLC|Plc|GmbH|Limited|Company)` },
    {
      pattern: String.raw` (?:Technolog|Software|Consult|Partners|Group|Holding|Solutions|Systems|Services)`,
    },
    {
      pattern: String.raw` (?:Research|Analytics|Labs|Industries|Associates|Investments|Capital|Ventures|Bank|and Sons)`,
    },
    {
      pattern: String.raw` (?:Insurance|Foundation|Institute|Hospital|University|Media|Networks|Enterprises|& Co|& Sons)`,
    },
    { pattern: String.raw` (?:AG|AB|AS|SA|BV|NV|Oy|HB|KG|SE|SL)\b` },
    { pattern: ' (?:und S|& S|e Hijos|y Hijos|et Fils|& Fils|e figli|Ltda|LTDA|SARL|Kft|SpA)' },
    { pattern: '[a-z], [A-Z][a-z]' },
    { pattern: '[a-z] [A-Z][a-z]' },
    { pattern: '[a-z] office' },
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
    if (bytes[at] === SPACE) return firm(bytes, at, match);
    if (bytes[at + 1] === 0x2c) return listed(bytes, at, match);
    if (CLASS[bytes[at + 2]!] === UPPER) return mayAnnounce(bytes, at) && announced(bytes, at + 2, match);
    return followed(bytes, at + 1, match);
  },
  mask: maskInitials,
  examples: {
    match: [
      { text: 'bought from Driftwood Trading Ltd. yesterday', value: 'Driftwood Trading Ltd.' },
      { text: 'at Aldous Technologies in', value: 'Aldous Technologies' },
      { text: 'Davis, Reynolds and Williamson', value: 'Davis, Reynolds and Williamson' },
      { text: 'I work for Brightwater', value: 'Brightwater' },
      { text: 'Müller & Sohn GmbH', value: 'Müller & Sohn GmbH' },
    ],
    not: [
      'Inc. 500',
      'the Group was',
      'Open Software Here',
      'Monday, Tuesday and Wednesday',
      'I work for the city',
      'Limited edition',
    ],
  },
};

/** "Driftwood Trading Ltd": from the blank before what firms end with. */
function firm(bytes: Buffer, at: number, match: Match): boolean {
  const text = textOf(bytes, at, at + 20);
  const legal = LEGAL.exec(text)?.[0].length ?? 0;
  const kind = legal > 0 ? legal : (FIRM.exec(text)?.[0].length ?? 0);
  if (kind === 0) return refused(match, 'legal form');
  const start = nameStart(bytes, at);
  if (start === at) return refused(match, 'no name before it');
  const further = LEGAL.exec(textOf(bytes, at + kind, at + kind + 16))?.[0].length ?? 0;
  let end = at + kind + further;
  if (legal === 0 && bytes[end - 1] === DOT) end--;
  if (legal === 0 && further === 0) match.confidence = 0.5;
  return found(match, start, end, REASON.pattern);
}

/** Back over words with capitals and "&"; an everyday word at the beginning of a sentence is none of them. */
function nameStart(bytes: Buffer, end: number): number {
  let start = end;
  for (let words = 0; words < MOST_WORDS; words++) {
    const to = start === end ? end : start - 1;
    if (start !== end && bytes[to] !== SPACE) break;
    const before = wordBefore(bytes, to);
    if (before === to) break;
    start = before;
  }
  while (start < end && !isName(bytes, start)) start = nextStart(bytes, start, end);
  return start;
}

function wordBefore(bytes: Buffer, to: number): number {
  if (bytes[to - 1] === 0x26 && bytes[to - 2] === SPACE) return to - 1;
  if (textOf(bytes, to - 4, to) === ' and') return to - 3;
  const comma = bytes[to - 1] === 0x2c ? to - 1 : to;
  const start = wordStart(bytes, comma);
  return isCapital(bytes, start) && start < comma ? start : to;
}

/** The first word: a capital, and not "The", "In" or "&"; a lone everyday word is no firm. */
function isName(bytes: Buffer, start: number): boolean {
  if (!isCapital(bytes, start)) return false;
  const kind = kindOfWord(bytes, start, wordEnd(bytes, start));
  return (kind & EVERYDAY) === 0 || (kind & (FIRST_NAME | LAST_NAME)) !== 0;
}

function nextStart(bytes: Buffer, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i] !== SPACE) i++;
  return Math.min(end, i + 1);
}

/** "Davis, Reynolds and Williamson": family names in a row. */
function listed(bytes: Buffer, at: number, match: Match): boolean {
  const start = wordStart(bytes, at + 1);
  if (!isCapital(bytes, start) || (kindOfWord(bytes, start, at + 1) & LAST_NAME) === 0)
    return refused(match, 'no family names');
  const written = LISTED.exec(textOf(bytes, start, start + 80))?.[0];
  if (written === undefined) return refused(match, 'form');
  const names = written.split(/, |,? (?:and|&) /);
  let from = start;
  for (const name of names) {
    const place = bytes.indexOf(name, from, 'latin1');
    if ((kindOfWord(bytes, place, place + name.length) & LAST_NAME) === 0)
      return refused(match, 'no family names');
    from = place + name.length;
  }
  if (names.length !== 3) match.confidence = 0.35;
  return found(match, start, start + written.length, REASON.pattern);
}

/** "the Brightwater office". */
function followed(bytes: Buffer, end: number, match: Match): boolean {
  const start = nameStart(bytes, end);
  if (start === end || !AFTER.test(textOf(bytes, end, end + 60))) return refused(match, 'no name before it');
  match.confidence = 0.45;
  return found(match, start, end, REASON.pattern);
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

/** "I work for Brightwater": up to four words with capitals. */
function announced(bytes: Buffer, at: number, match: Match): boolean {
  if (!CUE.test(textOf(bytes, at - 32, at))) return refused(match, 'label');
  if (!isName(bytes, at)) return refused(match, 'everyday word');
  let end = wordEnd(bytes, at);
  for (let words = 1; words < MOST_WORDS && bytes[end] === SPACE; words++) {
    if (CLASS[bytes[end + 1]!] !== UPPER) break;
    end = wordEnd(bytes, end + 1);
  }
  if (bytes[end - 1] === 0x73 && bytes[end - 2] === 0x27) end -= 2;
  match.confidence = 0.5;
  return found(match, at, end, REASON.pattern | REASON.contextWord);
}
