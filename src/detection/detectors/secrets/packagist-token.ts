import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const packagistToken: Detector = issuedToken({
  id: 'PACKAGIST_TOKEN',
  title: 'Packagist token',
  prefixes: [{ text: 'packagist_', length: [72, 72] }],
  alphabet: 'az09__',
  shape: /^[ou][a-z]{2}_[0-9a-f]{68}$/,
  sample: `out_${syntheticSecret(68, '09af')}`,
});
