import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const airtableToken: Detector = issuedToken({
  id: 'AIRTABLE_TOKEN',
  title: 'Airtable token',
  prefixes: [{ text: 'pat', length: [79, 79] }],
  alphabet: 'azAZ09..',
  shape: /^[A-Za-z0-9]{14}\.[0-9a-f]{64}$/,
  sample: `${syntheticSecret(14, 'azAZ09')}.${syntheticSecret(64, '09af')}`,
});
