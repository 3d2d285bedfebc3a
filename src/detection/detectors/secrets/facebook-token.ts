import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const facebookToken: Detector = issuedToken({
  id: 'FACEBOOK_TOKEN',
  title: 'Facebook access token',
  prefixes: [{ text: 'EAA', length: [100, 400] }],
  alphabet: 'azAZ09',
});
