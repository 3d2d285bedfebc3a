import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const squareToken: Detector = issuedToken({
  id: 'SQUARE_TOKEN',
  title: 'Square token',
  risk: 10,
  prefixes: [
    { text: 'sq0atp-', length: [22, 22] },
    { text: 'sq0csp-', length: [43, 43] },
    { text: 'EAAA', length: [60, 60] },
  ],
  alphabet: 'azAZ09__--',
});
