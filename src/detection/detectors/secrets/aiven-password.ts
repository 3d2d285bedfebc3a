import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const aivenPassword: Detector = issuedToken({
  id: 'AIVEN_PASSWORD',
  title: 'Aiven service password',
  prefixes: [{ text: 'AVNS_', length: [19, 19] }],
  alphabet: 'azAZ09__--',
});
