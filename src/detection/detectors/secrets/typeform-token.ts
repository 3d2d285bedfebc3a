import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const typeformToken: Detector = issuedToken({
  id: 'TYPEFORM_TOKEN',
  title: 'Typeform token',
  prefixes: [{ text: 'tfp_', length: [40, 60] }],
  alphabet: 'azAZ09__--',
});
