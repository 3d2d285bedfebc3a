import { byteSet, runEnd, textOf } from '../../bytes.ts';
import { entropy, looksGenerated } from '../../checks/entropy.ts';
import { isFiller, isPlaceholder } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const HEADER = /^authorization["'`]?\]?\s{0,4}[:=,]\s{0,4}["'`]?(?:bearer|token)\s{1,4}/i;
const TOKEN = byteSet('azAZ09++//==..__~~--');
const MIN_LENGTH = 20;
const MAX_LENGTH = 512;

/** `Authorization: Bearer …` of an unknown issuer: tokens with a known prefix and JWTs have their own detectors. */
export const bearerToken: Detector = {
  id: 'BEARER_TOKEN',
  title: 'Bearer token',
  category: 'credential',
  strength: 'context',
  regulations: ['soc2'],
  risk: 8,
  prefilters: [{ pattern: String.raw`(?i)\bauthorizatio` }],
  confidence: 0.75,
  verify(bytes, at, match) {
    const header = HEADER.exec(textOf(bytes, at, at + 40))?.[0];
    if (header === undefined) return rejectMatch(match, 'scheme');
    const start = at + header.length;
    const end = runEnd(bytes, start, MAX_LENGTH, TOKEN);
    if (end - start < MIN_LENGTH || end - start === MAX_LENGTH) return rejectMatch(match, 'length');
    const value = textOf(bytes, start, end);
    match.entropy = entropy(value);
    if (isPlaceholder(value) || isFiller(value)) return rejectMatch(match, 'placeholder');
    if (!looksGenerated(value)) return rejectMatch(match, 'entropy');
    return acceptMatch(match, start, end, REASON.pattern | REASON.entropy);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `Authorization: Bearer ${syntheticSecret(32, '09af')}`, value: syntheticSecret(32, '09af') },
      {
        text: `-H "authorization: bearer ${syntheticSecret(40, 'azAZ09')}"`,
        value: syntheticSecret(40, 'azAZ09'),
      },
      {
        text: `{"Authorization": "Token ${syntheticSecret(43, 'azAZ09__--')}"}`,
        value: syntheticSecret(43, 'azAZ09__--'),
      },
    ],
    not: [
      'Authorization: Bearer <token>',
      'Authorization: Bearer \u0024{ACCESS_TOKEN}',
      'Authorization: bearer authentication-and-authorization',
      'Authorization: Bearer xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'Authorization: Bearer your-access-token-goes-here',
      'Authorization: Bearer 0123456789abcdef0123456789abcdef',
    ],
  },
};
