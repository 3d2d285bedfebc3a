import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const sumupKey: Detector = issuedToken({
  id: 'SUMUP_KEY',
  title: 'SumUp secret key',
  prefixes: [{ text: 'sup_sk_', length: [32, 64] }],
  alphabet: 'azAZ09',
});
