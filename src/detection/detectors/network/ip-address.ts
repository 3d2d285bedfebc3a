import { byteSet, CLASS, COLON, DOT, HEX, isAlnum, isDigit, runEnd, textOf } from '../../bytes.ts';
import { rangeOfV4, rangeOfV6, v6Groups } from '../../checks/ip.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const V6 = byteSet('09afAF::..');
const MAX_V6_LENGTH = 46;

export const ipAddress: Detector = {
  id: 'IP_ADDRESS',
  title: 'IP address',
  category: 'quasi_identifier',
  strength: 'format',
  regulations: ['gdpr', 'ccpa', 'hipaa'],
  risk: 4,
  prefilters: [
    { pattern: String.raw`\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d` },
    // One or two digits before a colon are a time of day; the only such address is 64:ff9b::, which identifies no host.
    { pattern: String.raw`\b[0-9a-fA-F]{3,4}:[0-9a-fA-F]{0,4}:` },
    { pattern: '::[0-9a-fA-F]' },
  ],
  confidence: 0.85,
  verify(bytes, at, match) {
    const first = bytes[at]!;
    return (
      (isDigit(first) && v4(bytes, at, match)) || v6(bytes, at, match) || rejectMatch(match, 'form or range')
    );
  },
  mask: (value) => (value.includes(':') ? maskMiddle(value, 4, 0) : value.replace(/\.\d+/g, '.•••')),
  examples: {
    match: [
      '203.14.92.7',
      { text: 'from 52.94.236.248:443 ok', value: '52.94.236.248' },
      { text: 'server 203.14.92.7', value: '203.14.92.7' },
      { text: 'ping 5.9.12.33 now', value: '5.9.12.33' },
      { text: '5.9.12.33 - - [10/Oct/2024]', value: '5.9.12.33' },
      { text: 'resolver 1.1.1.1', value: '1.1.1.1' },
      '2a00:1450:4001:81b::200e',
      '2a00:1450:4001:081b:0000:0000:0000:200e',
      { text: 'at 2001:db8::1, port 53', value: '2001:db8::1' },
      { text: '[::ffff:52.94.236.248]', value: '::ffff:52.94.236.248' },
    ],
    not: [
      '// 23.3.4.5 modifiers',
      '[27.6.1.3]',
      'binutils (2.10.0.27-0.cvs20001011) unstable',
      'Git 1.7.6.6',
      'up to and including 3.6.23.1, a call to',
      'version 1.2.3.4',
      'v1.2.3.4',
      'Chrome/124.0.0.0',
      '0.0.0.0',
      '127.0.0.1',
      '255.255.255.255',
      '256.1.2.3',
      '1.2.3.4.5',
      '12:30:45',
      '00:1a:2b:3c:4d:5e',
      '::1',
      'std::dead',
      '01.02.03.04',
    ],
  },
};

function v4(bytes: Buffer, at: number, match: Match): boolean {
  let i = at;
  let address = 0;
  for (let part = 0; part < 4; part++) {
    if (part > 0 && bytes[i++] !== DOT) return false;
    const from = i;
    let value = 0;
    while (i < from + 4 && isDigit(bytes[i]!)) value = value * 10 + bytes[i++]! - 48;
    if (i === from || value > 255 || (i - from > 1 && bytes[from] === 48)) return false;
    address = address * 256 + value;
  }
  if (isAlnum(bytes[i]!) || (bytes[i] === DOT && isDigit(bytes[i + 1]!)) || bytes[i] === 0x5f) return false;
  if (
    isAlnum(bytes[at - 1]!) ||
    bytes[at - 1] === DOT ||
    bytes[at - 1] === 0x2d ||
    isVersion(bytes, at) ||
    isProduct(bytes, at)
  )
    return false;
  const range = rangeOfV4(address);
  if (range === 'public' && isNumbered(bytes, at, i)) return false;
  return range !== 'special' && accept(at, i, range, match);
}

/** Words and marks around the address of a host. */
const HOST_BEFORE =
  /(?:\b(?:ip(?:v4)?|hosts?|addr(?:ess(?:es)?)?|server|dns|nameservers?|resolvers?|gateway|clients?|remote|peer|ping|ssh|subnet|cidr|netmask|routes?|src|dst|source|destination|connect\w*|listen\w*|bind|proxy|inet|via|visitor|logged in|login|session)s?\b[^\n]{0,20}|:\/\/|@|[,;|\t] ?|(?:\d\.){3}\d{1,3}[", ]{1,4})$/i;
const HOST_AFTER = /^(?::\d{2,5}\b|\/\d{1,2}(?![\d.])|[,;|\t]| - )/;

/** "23.3.4.5", "1.7.6.6": numbers as small as those of sections and versions, and nothing around them that speaks of a host. */
function isNumbered(bytes: Buffer, at: number, end: number): boolean {
  const parts = textOf(bytes, at, end).split('.').map(Number);
  if (parts[0]! > 40 || parts.filter((part) => part < 40).length < 3) return false;
  if (bytes[end] === 0x2d || bytes[end] === 0x2b || bytes[end] === 0x7e) return true; // a revision of a package
  if (HOST_AFTER.test(textOf(bytes, end, end + 8)) && !isList(bytes, at, end)) return false;
  return !HOST_BEFORE.test(textOf(bytes, at - 40, at));
}

/** "(1.2.3.4, closes": a comma after a word that no cell begins with. */
function isList(bytes: Buffer, at: number, end: number): boolean {
  return bytes[end] === 0x2c && bytes[end + 1] === 0x20 && !/[\n,;|\t]\s?$/.test(textOf(bytes, at - 2, at));
}

/** `Chrome/124.0.0.0`, as browsers call themselves. */
function isProduct(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === 0x2f && isAlnum(bytes[at - 2]!) && !isDigit(bytes[at - 2]!);
}

function v6(bytes: Buffer, at: number, match: Match): boolean {
  const before = bytes[at - 1]!;
  if (isAlnum(before) || before === COLON || before === DOT) return false;
  if (!enoughColons(bytes, at)) return false;
  let end = runEnd(bytes, at, MAX_V6_LENGTH, V6);
  while (end > at && (bytes[end - 1] === DOT || (bytes[end - 1] === COLON && bytes[end - 2] !== COLON)))
    end--;
  if (end - at < 5 || CLASS[bytes[end]!] !== 0) return false;
  const text = textOf(bytes, at, end);
  // dead::beef is C++; an address without a single digit is not worth the noise.
  const groups = /\d/.test(text) ? v6Groups(text) : null;
  const range = groups === null ? 'special' : rangeOfV6(groups);
  return range !== 'special' && accept(at, end, range, match);
}

/** Cheap rejection of times of day: requires seven colons, or two adjacent ones. */
function enoughColons(bytes: Buffer, at: number): boolean {
  let colons = 0;
  for (let i = at; i < at + MAX_V6_LENGTH; i++) {
    const b = bytes[i]!;
    if (b === COLON) {
      colons++;
      if (bytes[i + 1] === COLON || colons === 7) return true;
    } else if (HEX[b] === 0) return false;
  }
  return false;
}

function accept(
  start: number,
  end: number,
  range: 'public' | 'private' | 'documentation',
  match: Match,
): boolean {
  if (range !== 'public') match.confidence = range === 'private' ? 0.6 : 0.55;
  const doubt = { public: 0, private: REASON.privateRange, documentation: REASON.documentationRange }[range];
  return acceptMatch(match, start, end, REASON.pattern | doubt);
}

const VERSION =
  /(?:^|[^a-z])(?:version|release|build|ver|rev|v|firmware|upgrade[d]? to|section|chapter)[ .:="'#-]*$/i;

function isVersion(bytes: Buffer, at: number): boolean {
  return VERSION.test(textOf(bytes, at - 16, at));
}
