import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const shippoToken: Detector = issuedToken({
  id: 'SHIPPO_TOKEN',
  title: 'Shippo token',
  prefixes: [
    { text: 'shippo_live_', length: [40, 40] },
    { text: 'shippo_test_', length: [40, 40] },
  ],
  alphabet: '09af',
});
