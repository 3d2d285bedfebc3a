import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const googleApiKey: Detector = issuedToken({
  id: 'GOOGLE_API_KEY',
  title: 'Google API key',
  prefixes: [
    { text: 'AIza', length: [35, 35] },
    { text: 'AQ.Ab8RN6', length: [40, 60] }, // those bound to a service account
  ],
  alphabet: 'azAZ09__--',
});
