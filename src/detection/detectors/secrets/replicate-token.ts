import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const replicateToken: Detector = issuedToken({
  id: 'REPLICATE_TOKEN',
  title: 'Replicate token',
  prefixes: [{ text: 'r8_', length: [37, 37] }],
  alphabet: 'azAZ09',
});
