import { byteSet, CLASS, DOT, isAlnum, runEnd, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { isWithinProse } from '../../families/names/prose.ts';
import { REASON } from '../../reasons.ts';

const SLASH = 0x2f;
const URL_BYTES = byteSet("azAZ09--..__~~::/???##[[]]@@!!$$&&''((**++,,;;==%%");
const MAX_LENGTH = 512;
const MAX_LEAD_LENGTH = 12; // https://www. and a slash after it
const PROSE_CONFIDENCE = 0.5; // in a sentence
const HOST =
  /^(?:https?:\/\/|www\.)(?:[^/?#\s@]{1,80}@)?((?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,18}|localhost|\[[0-9a-f:]+\]|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?=[/?#]|$)/i;
const ENDS = byteSet("..,,;;::!!??))]]''**__");
/** A person's name, number or address in the query, or a login before the host. */
const PERSONAL =
  /[?&#;](?:e-?mail|user(?:name|_?id)?|login|uid|name|first_?name|last_?name|phone|mobile|ssn|dob|patient(?:_?id)?|customer(?:_?id)?|account|member(?:_?id)?)=[^&#]{2}|\/\/[^/?#@\s]{2,64}@|\/(?:users?|people|patients?|customers?|members?|profiles?|u)\/[A-Za-z0-9][\w.-]{2,}/i;
/** XML schemas and examples, which are not visited. */
const NOT_VISITED =
  /^(?:www\.)?(?:w3\.org|schemas?\.[\w.-]+|xmlns\.com|purl\.org|json-schema\.org|example\.(?:com|org|net)|localhost|127\.0\.0\.1)$/i;

export const url: Detector = {
  id: 'URL',
  title: 'Web address',
  category: 'quasi_identifier',
  strength: 'format',
  regulations: ['hipaa'],
  optional: true,
  risk: 1,
  prefilters: [
    { pattern: String.raw`\b[Hh]ttps?://[A-Za-z0-9]` },
    { pattern: String.raw`\bwww\.[A-Za-z0-9]` },
  ],
  // Every page and every program is full of them: by itself none is worth a report.
  confidence: 0.45,
  context: { words: ['website', 'homepage', 'profile', 'personal page', 'linkedin', 'facebook'] },
  verify(bytes, at, match) {
    if (isAlnum(bytes[at - 1]!) || bytes[at - 1] === DOT || bytes[at - 1] === 0x2f)
      return rejectMatch(match, 'stands alone');
    let end = runEnd(bytes, at, MAX_LENGTH, URL_BYTES);
    while (end > at && ENDS[bytes[end - 1]!] === 1 && bytes[end - 1] !== 0x2f) end--;
    const text = textOf(bytes, at, end);
    const host = HOST.exec(text)?.[1];
    if (host === undefined) return rejectMatch(match, 'host');
    if (NOT_VISITED.test(host)) return rejectMatch(match, 'schema or example');
    if (text.length - host.length > MAX_LEAD_LENGTH && PERSONAL.test(text)) match.confidence = 0.65;
    else if (isHome(bytes, at, end, host) && isWithinProse(bytes, at, end))
      match.confidence = PROSE_CONFIDENCE;
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: (value) =>
    `${/^https?:/i.exec(value)?.[0] ?? ''}//•••${/\.[a-z]{2,6}(?=[:/?#]|$)/i.exec(value)?.[0] ?? ''}`,
  examples: {
    match: [
      { text: 'see https://shop.acme.io/users/jane.doe for', value: 'https://shop.acme.io/users/jane.doe' },
      {
        text: 'https://acme.io/reset?email=jane%40mail.org&x=1',
        value: 'https://acme.io/reset?email=jane%40mail.org&x=1',
      },
      { text: 'you find her pictures on https://www.lindqvist.se/ now', value: 'https://www.lindqvist.se/' },
      { text: 'My website is http://www.janedoe.io/.', value: 'http://www.janedoe.io/' },
    ],
    not: [
      'https://acme.io/docs/start',
      'you find how that is done on https://acme.io/docs/start now',
      'https://acme.io',
      'http://www.w3.org/2000/svg',
      'https://',
      'http://localhost:3000/users/abc',
      'see www.a b.com',
    ],
  },
};

/** A home page names whose it is; a page further down is a document, which sentences of every kind point to. */
function isHome(bytes: Buffer, start: number, end: number, host: string): boolean {
  return (
    end - start - host.length <= MAX_LEAD_LENGTH && (bytes[end - 1] === SLASH || CLASS[bytes[end - 1]!] !== 0)
  );
}
