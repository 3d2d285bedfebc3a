import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const duffelToken: Detector = issuedToken({
  id: 'DUFFEL_TOKEN',
  title: 'Duffel token',
  prefixes: [
    { text: 'duffel_live_', length: [43, 43] },
    { text: 'duffel_test_', length: [43, 43] },
  ],
  alphabet: 'azAZ09__--',
});
