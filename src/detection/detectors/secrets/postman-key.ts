import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const postmanKey: Detector = issuedToken({
  id: 'POSTMAN_KEY',
  title: 'Postman API key',
  prefixes: [{ text: 'PMAK-', length: [59, 59] }],
  alphabet: '09af--',
  shape: /^[0-9a-f]{24}-[0-9a-f]{34}$/,
  sample: `${syntheticSecret(24, '09af')}-${syntheticSecret(34, '09af')}`,
});
