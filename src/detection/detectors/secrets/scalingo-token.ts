import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const scalingoToken: Detector = issuedToken({
  id: 'SCALINGO_TOKEN',
  title: 'Scalingo token',
  prefixes: [{ text: 'tk-us-', length: [48, 48] }],
  alphabet: 'azAZ09__--',
});
