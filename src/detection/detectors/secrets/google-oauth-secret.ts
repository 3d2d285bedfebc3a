import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const googleOauthSecret: Detector = issuedToken({
  id: 'GOOGLE_OAUTH_SECRET',
  title: 'Google OAuth client secret',
  prefixes: [{ text: 'GOCSPX-', length: [28, 28] }],
  alphabet: 'azAZ09__--',
});
