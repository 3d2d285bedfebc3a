import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

/** What follows is JSON in base64, the account’s keys among it. */
export const onepasswordToken: Detector = issuedToken({
  id: 'ONEPASSWORD_TOKEN',
  title: '1Password service account token',
  prefixes: [{ text: 'ops_eyJ', length: [240, 2500] }],
  alphabet: 'azAZ09__--',
  padded: true,
});
