import { byteSet, isAlnum, runEnd, textOf } from '../../../bytes.ts';
import { basicCredentials } from '../../../checks/basic-credentials.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const HEADER = /^authorization["'`]?\]?\s{0,4}[:=,]\s{0,4}["'`]?basic\s{1,4}/i;
const BASE64 = byteSet('azAZ09++//');
const MIN_LENGTH = 4;
const MAX_LENGTH = 400;

/** `Authorization: Basic …` in any text (RFC 7617). */
export const basicAuth: Detector = {
  id: 'BASIC_AUTH',
  title: 'User and password of a request',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ pattern: String.raw`(?i)\bauthorizatio` }],
  confidence: 0.9,
  verify(bytes, at, match) {
    const header = HEADER.exec(textOf(bytes, at, at + 40))?.[0];
    if (header === undefined) return rejectMatch(match, 'scheme');
    const start = at + header.length;
    const bodyEnd = runEnd(bytes, start, MAX_LENGTH, BASE64);
    let end = bodyEnd;
    while (bytes[end] === 0x3d && end < bodyEnd + 2) end++;
    if (bodyEnd - start < MIN_LENGTH || isAlnum(bytes[end]!)) return rejectMatch(match, 'form');
    const said = basicCredentials(textOf(bytes, start, end));
    if (said === 'none') return rejectMatch(match, 'user and password');
    if (said === 'published') match.confidence = 0.55;
    return acceptMatch(match, start, end, REASON.structure | (said === 'published' ? REASON.testValue : 0));
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `Authorization: Basic ${pair('svc:tr0ub4dor&3')}`, value: pair('svc:tr0ub4dor&3') },
      { text: `-H 'authorization: basic ${pair('jane:hunter22')}'`, value: pair('jane:hunter22') },
      { text: `headers['Authorization'] = 'Basic ${pair('ann:Zebra#42')}'`, value: pair('ann:Zebra#42') },
      { text: `"Authorization": "Basic ${pair('Aladdin:open sesame')}"`, value: pair('Aladdin:open sesame') },
    ],
    not: [
      'Authorization: basic authentication is switched off',
      'a basic understanding of chemistry',
      `Authorization: Basic ${pair('no colon in here')}`,
      `Authorization: Basic ${pair('user:********')}`,
      `Authorization: Bearer ${pair('svc:tr0ub4dor&3')}`,
    ],
  },
};

function pair(text: string): string {
  return Buffer.from(text).toString('base64');
}
