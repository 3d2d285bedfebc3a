import { byteSet, CLASS, COLON, DOT, HEX, isAlnum, isDigit, runEnd, textOf } from '../bytes.ts';
import { rangeOfV4, rangeOfV6, v6Groups } from '../checks/ip.ts';
import { type Detector, found, type Match } from '../detector.ts';
import { maskMiddle } from '../masks.ts';
import { REASON } from '../reasons.ts';

const V6 = byteSet('09afAF::..');
const LONGEST_V6 = 46;

export const ipAddress: Detector = {
  id: 'IP_ADDRESS',
  title: 'IP address',
  category: 'quasi_identifier',
  anchors: [
    { kind: 'token', made: ['d'], length: [1, 3], next: '.' },
    { kind: 'token', made: ['d', 'l', 'U', 'ld', 'Ud'], length: [1, 4], next: ':' },
    { kind: 'pair', byte: ':', next: ':' },
  ],
  confidence: 0.85,
  verify(bytes, at, match) {
    return bytes[at] !== COLON && v4(bytes, at, match) ? true : v6(bytes, at, match);
  },
  mask: (value) => (value.includes(':') ? maskMiddle(value, 4, 0) : value.replace(/\.\d+/g, '.•••')),
  examples: {
    match: [
      '203.14.92.7',
      { text: 'from 52.94.236.248:443 ok', value: '52.94.236.248' },
      '2a00:1450:4001:81b::200e',
      '2a00:1450:4001:081b:0000:0000:0000:200e',
      { text: 'at 2001:db8::1, port 53', value: '2001:db8::1' },
      { text: '[::ffff:52.94.236.248]', value: '::ffff:52.94.236.248' },
    ],
    not: [
      'version 1.2.3.4',
      'v1.2.3.4',
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
  const parts: number[] = [];
  for (let part = 0; part < 4; part++) {
    if (part > 0 && bytes[i++] !== DOT) return false;
    const from = i;
    let value = 0;
    while (i < from + 4 && isDigit(bytes[i]!)) value = value * 10 + bytes[i++]! - 48;
    if (i === from || value > 255 || (i - from > 1 && bytes[from] === 48)) return false;
    parts.push(value);
  }
  if (isAlnum(bytes[i]!) || (bytes[i] === DOT && isDigit(bytes[i + 1]!)) || bytes[i] === 0x5f) return false;
  if (isAlnum(bytes[at - 1]!) || bytes[at - 1] === DOT || bytes[at - 1] === 0x2d || isVersion(bytes, at))
    return false;
  const range = rangeOfV4(parts);
  return range !== 'nobody' && accept(at, i, range, match);
}

function v6(bytes: Buffer, at: number, match: Match): boolean {
  const before = bytes[at - 1]!;
  if (isAlnum(before) || before === COLON || before === DOT) return false;
  // Every time of day comes by here: three groups at least, and quickly.
  let first = at;
  while (first < at + 4 && HEX[bytes[first]!] === 1) first++;
  if (bytes[first] !== COLON) return false;
  let end = runEnd(bytes, at, LONGEST_V6, V6);
  while (end > at && (bytes[end - 1] === DOT || (bytes[end - 1] === COLON && bytes[end - 2] !== COLON)))
    end--;
  if (end - at < 5 || CLASS[bytes[end]!] !== 0) return false;
  const groups = v6Groups(textOf(bytes, at, end));
  const range = groups === null ? 'nobody' : rangeOfV6(groups);
  return range !== 'nobody' && accept(at, end, range, match);
}

function accept(
  start: number,
  end: number,
  range: 'public' | 'private' | 'documentation',
  match: Match,
): boolean {
  if (range !== 'public') match.confidence = range === 'private' ? 0.6 : 0.55;
  const doubt = { public: 0, private: REASON.privateRange, documentation: REASON.documentationRange }[range];
  return found(match, start, end, REASON.pattern | doubt);
}

const VERSION = /(?:version|release|build|ver|rev|v|firmware|upgrade[d]? to|section|chapter)[ .:="'#-]*$/i;

function isVersion(bytes: Buffer, at: number): boolean {
  return VERSION.test(textOf(bytes, at - 16, at));
}
