import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

/** The older kind. Newer ones have no prefix and need a label. */
export const mailgunKey: Detector = issuedToken({
  id: 'MAILGUN_KEY',
  title: 'Mailgun API key',
  prefixes: [{ text: 'key-', length: [32, 32] }],
  alphabet: '09af',
});
