import { BASE64URL, DOT, isAlnum, runEnd, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const MAX_LENGTH = 4000;
const MAX_HEADER_LENGTH = 512;
const MIN_SIGNATURE_LENGTH = 16;

export const jwt: Detector = {
  id: 'JWT',
  title: 'JSON web token',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 8,
  prefilters: [{ pattern: String.raw`\beyJ[A-Za-z0-9_-]{12}` }],
  confidence: 0.95,
  verify(bytes, at, match) {
    const before = bytes[at - 1]!;
    if (isAlnum(before) || before === DOT || BASE64URL[before] === 1)
      return rejectMatch(match, 'stands alone');
    const headerEnd = runEnd(bytes, at, MAX_HEADER_LENGTH, BASE64URL);
    // A dot and another "eyJ": a cheap test before anything is decoded.
    if (bytes[headerEnd] !== DOT || textOf(bytes, headerEnd + 1, headerEnd + 4) !== 'eyJ')
      return rejectMatch(match, 'second part');
    const payloadEnd = runEnd(bytes, headerEnd + 1, at + MAX_LENGTH - headerEnd - 1, BASE64URL);
    if (bytes[payloadEnd] !== DOT && payloadEnd < at + MAX_LENGTH) return rejectMatch(match, 'third part');
    if (!isHeader(textOf(bytes, at, headerEnd))) return rejectMatch(match, 'header');
    const end = runEnd(bytes, payloadEnd + 1, Math.max(0, at + MAX_LENGTH - payloadEnd - 1), BASE64URL);
    // Unsigned tokens end in the dot; anything between nothing and a signature is no token.
    const signature = end - payloadEnd - 1;
    if (signature > 0 && signature < MIN_SIGNATURE_LENGTH && end < at + MAX_LENGTH)
      return rejectMatch(match, 'signature');
    return acceptMatch(match, at, Math.max(end, payloadEnd), REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value, ['eyJ']),
  examples: {
    match: [
      token('{"alg":"HS256","typ":"JWT"}', '{"sub":"1234567890"}'),
      {
        text: `Authorization: Bearer ${token('{"alg":"RS256"}', '{"iss":"x"}')}`,
        value: token('{"alg":"RS256"}', '{"iss":"x"}'),
      },
      token('{"typ":"JWT","alg":"ES256"}', '{"exp":1}'),
    ],
    not: [
      token('{"alg":"HS256"}', '{"sub":1}').split('.')[0]!,
      token('{"foo":"HS256"}', '{"sub":1}'),
      `x${token('{"alg":"HS256"}', '{"sub":1}')}`,
      'eyJhbGciOi.eyJhbGciOi.x y',
    ],
  },
};

function isHeader(base64: string): boolean {
  return /^\{.*"alg" *:/s.test(Buffer.from(base64, 'base64url').toString('latin1'));
}

function token(header: string, payload: string): string {
  const part = (text: string) => Buffer.from(text).toString('base64url');
  return [part(header), part(payload), 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'].join('.');
}
