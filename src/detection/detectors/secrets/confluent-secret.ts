import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const confluentSecret: Detector = issuedToken({
  id: 'CONFLUENT_SECRET',
  title: 'Confluent API secret',
  prefixes: [{ text: 'cflt', length: [60, 60] }],
  alphabet: 'azAZ09++//',
});
