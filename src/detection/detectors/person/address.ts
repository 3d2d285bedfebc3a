import { byteSet, CLASS, DOT, isAlnum, isDigit, LOWER, runEnd, SPACE, textOf, UPPER } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { parseAddress } from '../../families/addresses/street-address.ts';
import { STREET_ENDS } from '../../families/addresses/street-ends.ts';
import { maskInitials } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** Words that directly precede an address. */
const CUE =
  /(?:\b(?:lives?|lived|located|residing) (?:at|on|in)|\b(?:deliver(?:ed)?|sent|send it|return|ship|moved) to|\b(?:meet (?:me|you)|arrived) at|\baddress(?: is|["']?[:=]["']?))\s{1,4}$/i;
const MAX_CUE_LENGTH = 28;
const LEAD = byteSet('  ""\'\'\t\t\n\n');

export const address: Detector = {
  id: 'ADDRESS',
  title: 'Postal address',
  category: 'contact',
  strength: 'format',
  regulations: ['gdpr', 'ccpa', 'hipaa', 'glba', 'ferpa'],
  risk: 5,
  prefilters: [
    { pattern: String.raw`\b\d{1,6} [A-Z]` },
    { pattern: String.raw`\b\d{1,4} \d{1,3}(?:st|nd|rd|th) ` },
    { pattern: String.raw`\b\d{1,4},? (?:rue|avenue|boulevard)` },
    ...STREET_ENDS,
    { pattern: String.raw`\b(?:Rua|Via|Viale|Rue|Calle|Avenida|Avda\.|Av\.|Piazza|Corso|Plaza|Praça) ` },
    {
      pattern: String.raw`\b(?:Travessa|Carrer|Paseo|Camino|Strada|Chemin|Route|Alameda|Estrada|Ul\.) `,
    },
    { pattern: String.raw`\b(?:ul|al|os|nám|tř)\. [^a-z0-9 ]` },
    {
      pattern: String.raw`\b(?:P\.O\. ?Box|PO Box|PO BOX|Post[Bb]ox|Postfach|Postbus|Apartado|Casilla|GPO Box)`,
    },
    { pattern: String.raw`\b(?:PSC|CMR) \d{3,5},? [Bb]ox` },
    { pattern: String.raw`\bUnit \d{3,5},? [Bb]ox` },
    { pattern: String.raw`\b(?:USS|USNS|USNV|USCGC) [A-Z]` },
    { pattern: String.raw`\b(?:[aA]t|[iI]n|[oO]n|[tT]o|[iI]s) [A-Z][a-z]` },
    { assigned: ['address'] },
    { pattern: String.raw`\b\d{1,6} [A-Za-z]`, labelled: true },
  ],
  confidence: 0.65,
  context: {
    words: [
      ...[
        'address',
        'addresses',
        'addr',
        'street',
        'lives at',
        'lives on',
        'lives in',
        'lived at',
        'lived in',
      ],
      ...[
        'live at',
        'live in',
        'live on',
        'residence',
        'residing at',
        'resident',
        'located at',
        'located in',
      ],
      ...[
        'ship to',
        'shipping to',
        'billing',
        'deliver to',
        'delivered to',
        'sent to',
        'send it to',
        'return to',
      ],
      ...['arrived at', 'meet me at', 'meet you at', 'domicile'],
      ...['anschrift', 'adresse', 'dirección', 'direccion', 'indirizzo', 'endereço', 'endereco', 'adres'],
    ],
  },
  verify(bytes, place, match) {
    const numbered = isDigit(bytes[place]!);
    const from = numbered ? place : lastByte(bytes, place);
    const at = numbered ? from : behindCue(bytes, from);
    if (at === -1) return rejectMatch(match, 'cue');
    const cue = at - from;
    if (isDigit(bytes[at]!) && !(mayBeHouse(bytes, at) && mayBeStreet(bytes, at)))
      return rejectMatch(match, 'number of something else');
    const written = parseAddress(bytes, at);
    if (written === null || written.end <= at) return rejectMatch(match, 'form of a street');
    const before = bytes[written.start - 1]!;
    if (isAlnum(before) || before === 0x2f || before === 0x5f || before === 0x24)
      return rejectMatch(match, 'stands alone');
    if (CLASS[bytes[written.end]!] !== 0) return rejectMatch(match, 'stands alone');
    if (written.plain && !written.located && cue === 0 && !match.hasLabel(written.start))
      return rejectMatch(match, 'label');
    if (
      cue === 0 &&
      isOtherNumber(textOf(bytes, written.start, written.end), written.plain) &&
      !match.hasLabel(written.start)
    )
      return rejectMatch(match, 'year');
    if (written.plain) match.confidence = 0.5;
    return acceptMatch(match, written.start, written.end, REASON.pattern);
  },
  mask: maskInitials,
  examples: {
    match: [
      '742 Evergreen Terrace',
      { text: 'lives at 1600 N. Pine Hill Rd, near the mill', value: '1600 N. Pine Hill Rd' },
      '350 5th Ave, Apt 4B',
      '350 5th Ave, Apt 4B, New York, NY 10118',
      { text: 'in der Bahnhofstraße 12, heute', value: 'Bahnhofstraße 12' },
      { text: 'at Via Garibaldi 71 today', value: 'Via Garibaldi 71' },
      { text: 'P.O. Box 4411', value: 'P.O. Box 4411' },
      { text: 'to\nPSC 1205, Box 3388\nAPO AE 09601', value: 'PSC 1205, Box 3388\nAPO AE 09601' },
      { text: '12 rue de la Paix\n75002 Paris\nFrance', value: '12 rue de la Paix\n75002 Paris\nFrance' },
      '108 N. LAKE BLVD',
      { text: 'he lives at Jagerij 64 now', value: 'Jagerij 64' },
      { text: 'biuro: ul. Świętokrzyska 14, parter', value: 'ul. Świętokrzyska 14' },
    ],
    not: [
      '12 Monkeys Were Seen',
      '5 of the Street',
      'in 1999 Main results',
      '742 evergreen terrace',
      '10:30 Main Street',
      'version 2.5 Drive',
      'Section 12 Court',
      'During 1971 and Spring 2024',
      'Gate 12, Committee 5',
      'lives in Paris with 3 cats',
      'Copyright:\n 2003 Andre Hentz\n 2006 Rene Rivera\n',
      '2008 CodeRage, LLC 2004 Marcus Comstedt',
      'R GT 1983 o - S 22 0 0 S\nR GT 1991 o - Mar 23 0 1 D\nR GT 1991 o - S 7 0 0 S',
      '634239 Child GSources\n 634241 Add pollable streams',
      'N 0388 Epsilontonos 0389 Etatonos',
    ],
  },
};

const YEAR = /^(?:1[89]|20)\d\d$/;
const DATED_LINE = /^\d{4} [A-Z][a-z]{1,2} \d{1,2}$/;

/** "2003 Andre Hentz\n 2006": a year of a notice or of a rule instead of a house number; an address has a longer number, too. */
function isOtherNumber(text: string, plain: boolean): boolean {
  if (!plain) return DATED_LINE.test(text);
  const numbers = text.match(/\d+/g) ?? [];
  // Numbers of reports have six digits, glyphs and the like begin with 0.
  if (numbers[0]!.length > 5 || (numbers[0]!.length > 1 && numbers[0]!.startsWith('0'))) return true;
  return (
    numbers.some((number) => YEAR.test(number)) &&
    numbers.every((number) => number.length <= 2 || YEAR.test(number))
  );
}

/** "lives at Jagerij": the start of the address after its cue; `from` itself if it needs none; -1: a required cue is missing. */
function behindCue(bytes: Buffer, from: number): number {
  const first = bytes[from]!;
  const assigned = first === 0x3a || first === 0x3d;
  const capitalNext =
    CLASS[first] === LOWER && bytes[from + 1] === SPACE && CLASS[bytes[from + 2]!] === UPPER;
  if (!assigned && !capitalNext) return from;
  if (assigned && !endsWithAddress(bytes, from)) return -1;
  const at = runEnd(bytes, from + 1, 6, LEAD);
  return CUE.test(textOf(bytes, at - MAX_CUE_LENGTH, at)) ? at : -1;
}

/** After a separator the only cue is "address:", with or without quotes. */
function endsWithAddress(bytes: Buffer, separator: number): boolean {
  const before = bytes[separator - 1]!;
  const end = before === 0x22 || before === 0x27 ? separator - 1 : separator;
  return (bytes[end - 1]! | 32) === 0x73 && (bytes[end - 4]! | 32) === 0x72;
}

/** The byte after which the address is searched: the last one of "at" before a capital, or of a street's name before its number. */
function lastByte(bytes: Buffer, place: number): number {
  if (CLASS[bytes[place + 1]!] === LOWER && bytes[place + 2] === SPACE && CLASS[bytes[place + 3]!] === UPPER)
    return place + 1;
  for (let i = place; i < place + 5; i++) if (bytes[i + 1] === SPACE && isDigit(bytes[i + 2]!)) return i;
  return place;
}

/** No time of day, no decimal, no piece of a longer number; and a word follows, or a point of the compass. */
function mayBeHouse(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]!;
  if (NO_HOUSE[before] === 1) return false;
  let word = at + 1;
  while (word < at + 8 && bytes[word] !== SPACE) word++;
  return bytes[word + 2] !== SPACE || COMPASS[bytes[word + 1]!] === 1;
}

/** Bytes that precede part of a longer number, a decimal, a time of day. */
const NO_HOUSE = byteSet('azAZ09..--//::,,');
const COMPASS = byteSet('NNSSEEWW');

/** After a house number: a capitalised word, a compass direction, "5th", or a foreign word for a street. */
function mayBeStreet(bytes: Buffer, house: number): boolean {
  let i = house + 1;
  while (i < house + 7 && isDigit(bytes[i]!)) i++;
  if (bytes[i] === 0x2c) i++;
  if (bytes[i] !== SPACE) return CLASS[bytes[i]!] !== 0;
  const first = bytes[i + 1]!;
  const second = bytes[i + 2]!;
  if (CLASS[first] === UPPER || first >= 0x80) return second === DOT || second === SPACE || !isDigit(second);
  return CLASS[first] === LOWER || isOrdinal(bytes, i + 1);
}

/** "5th", "22nd": a street that has a number for a name. */
function isOrdinal(bytes: Buffer, at: number): boolean {
  let i = at;
  while (i < at + 3 && isDigit(bytes[i]!)) i++;
  return i > at && CLASS[bytes[i]!] === LOWER;
}
