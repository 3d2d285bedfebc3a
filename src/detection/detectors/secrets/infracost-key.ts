import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const infracostKey: Detector = issuedToken({
  id: 'INFRACOST_KEY',
  title: 'Infracost API key',
  prefixes: [{ text: 'ico-', length: [32, 32] }],
  alphabet: 'azAZ09',
});
