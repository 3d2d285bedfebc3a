import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

/** Temporary, but valid for hours. Its first bytes are “origin” or “er/aws” in base64. */
export const awsSessionToken: Detector = issuedToken({
  id: 'AWS_SESSION_TOKEN',
  title: 'AWS session token',
  prefixes: ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz', 'FQoGZXIvYXdz'].map((text) => ({ text, length: [150, 2000] })),
  alphabet: 'azAZ09++//',
  padded: true,
});
