import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

/** Access tokens, and the refresh tokens that outlive them. */
export const googleOauthToken: Detector = issuedToken({
  id: 'GOOGLE_OAUTH_TOKEN',
  title: 'Google OAuth token',
  prefixes: [
    { text: 'ya29.', length: [30, 1500] },
    { text: '1//0', length: [40, 120], alphabet: 'azAZ09__--' },
  ],
  alphabet: 'azAZ09__--..',
});
