import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const sentryToken: Detector = issuedToken({
  id: 'SENTRY_TOKEN',
  title: 'Sentry token',
  prefixes: [
    { text: 'sntrys_eyJ', length: [80, 400] },
    { text: 'sntryu_', length: [64, 64], alphabet: '09af' },
  ],
  alphabet: 'azAZ09++//==__--',
});
