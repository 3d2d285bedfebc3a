import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const harnessToken: Detector = issuedToken({
  id: 'HARNESS_TOKEN',
  title: 'Harness token',
  prefixes: [
    { text: 'pat.', length: [68, 68] },
    { text: 'sat.', length: [68, 68] },
  ],
  alphabet: 'azAZ09__--..',
  shape: /^[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}$/,
  sample: [syntheticSecret(22, 'azAZ09'), syntheticSecret(24, '09af'), syntheticSecret(20, 'azAZ09')].join(
    '.',
  ),
});
