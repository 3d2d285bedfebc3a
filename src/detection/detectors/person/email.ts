import { byteSet, CLASS, COLON, DASH, DOT, isAlnum, LOWER, runEnd, runStart, UPPER } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskEmail } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const LOCAL = byteSet("azAZ09..__%%++--''");
const DOMAIN = byteSet('azAZ09..--');
const SLASH = 0x2f;
/** File names such as icon@2x.png are written like addresses. */
const NOT_TOP = new Set([
  'png',
  'jpg',
  'jpeg',
  'gif',
  'svg',
  'webp',
  'css',
  'js',
  'ts',
  'json',
  'html',
  'xml',
]);

/** Reserved for examples (RFC 2606): no real addresses. */
const DOCUMENTED = /(?:^|\.)example\.(?:com|org|net|edu)$|\.(?:test|invalid|localhost)$/i;

export const email: Detector = {
  id: 'EMAIL',
  title: 'E-mail address',
  category: 'contact',
  strength: 'format',
  regulations: ['gdpr', 'ccpa', 'hipaa', 'glba', 'ferpa'],
  risk: 5,
  namesAuthors: true,
  prefilters: [{ pattern: '@[A-Za-z0-9]' }],
  confidence: 0.95,
  verify(bytes, at, match) {
    const start = localStart(bytes, at);
    if (start === at || at - start > 64) return rejectMatch(match, 'local part');
    const end = domainEnd(bytes, at + 1);
    if (end === 0) return rejectMatch(match, 'domain');
    if (inUrl(bytes, start)) return rejectMatch(match, 'login of a URL');
    const top = bytes.toString('latin1', lastDot(bytes, end) + 1, end).toLowerCase();
    if (NOT_TOP.has(top)) return rejectMatch(match, 'name of a file');
    const documented = DOCUMENTED.test(bytes.toString('latin1', at + 1, end));
    if (documented) match.confidence = 0.6;
    return acceptMatch(match, start, end, REASON.pattern | (documented ? REASON.documentationRange : 0));
  },
  mask: maskEmail,
  examples: {
    match: [
      'jane.doe@acme.example',
      { text: '<jane+news@mail.acme.co.uk>', value: 'jane+news@mail.acme.co.uk' },
      { text: 'Write to o_brien@acme.ie.', value: 'o_brien@acme.ie' },
      { text: 'mailto:info@acme.example?subject=x', value: 'info@acme.example' },
    ],
    not: [
      'a@b',
      'icon@2x.png',
      'jane@-acme.example',
      'git@github',
      'https://user:secret@acme.example/',
      '@acme.example',
      'package@1.2.3',
    ],
  },
};

function localStart(bytes: Buffer, at: number): number {
  let start = runStart(bytes, at, 65, LOCAL);
  // Quotes and dots around an address are the sentence's, not its own.
  while (start < at && !isAlnum(bytes[start]!) && bytes[start] !== 0x5f) start++;
  if (bytes[at - 1] === DOT) return at;
  for (let i = at - 1; i > start; i--) if (bytes[i] === DOT && bytes[i - 1] === DOT) return i + 1;
  return start;
}

/** The end of the last label if the domain has a dot and a top level of letters, else 0. */
function domainEnd(bytes: Buffer, from: number): number {
  let end = runEnd(bytes, from, 254, DOMAIN);
  while (end > from && !isAlnum(bytes[end - 1]!)) end--;
  if (!isAlnum(bytes[from]!) || bytes[end] === 0x40) return 0;
  for (let i = from; i < end; i++) {
    if (bytes[i] === DOT && (bytes[i + 1] === DOT || bytes[i + 1] === DASH)) end = i;
  }
  const dot = lastDot(bytes, end);
  if (dot <= from || end - dot - 1 < 2) return 0;
  for (let i = dot + 1; i < end; i++) if ((CLASS[bytes[i]!]! & (LOWER | UPPER)) === 0) return 0;
  return end;
}

function lastDot(bytes: Buffer, end: number): number {
  let i = end - 1;
  while (i > end - 64 && bytes[i] !== DOT && isDomainByte(bytes[i]!)) i--;
  return bytes[i] === DOT ? i : -1;
}

function isDomainByte(byte: number): boolean {
  return DOMAIN[byte] === 1;
}

/** user@host and user:password@host after "//" are a login, not an address. */
function inUrl(bytes: Buffer, start: number): boolean {
  for (let i = start - 1; i > start - 66; i--) {
    const b = bytes[i]!;
    if (b === SLASH) return bytes[i - 1] === SLASH && bytes[i - 2] === COLON;
    if (b !== COLON && LOCAL[b] === 0) return false;
  }
  return false;
}
