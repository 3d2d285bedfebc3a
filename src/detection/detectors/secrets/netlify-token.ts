import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const netlifyToken: Detector = issuedToken({
  id: 'NETLIFY_TOKEN',
  title: 'Netlify token',
  prefixes: [{ text: 'nfp_', length: [36, 36] }],
  alphabet: 'azAZ09',
});
