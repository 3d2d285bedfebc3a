import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const newRelicKey: Detector = issuedToken({
  id: 'NEW_RELIC_KEY',
  title: 'New Relic key',
  prefixes: [
    { text: 'NRAK-', length: [27, 27] },
    { text: 'NRII-', length: [32, 32], alphabet: 'azAZ09__--' },
    { text: 'NRIQ-', length: [32, 32], alphabet: 'azAZ09__--' },
  ],
  alphabet: 'AZ09',
});
