import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** Client ids and mobile keys (mob-) are shipped to users and not reported. */
export const launchdarklyKey: Detector = issuedToken({
  id: 'LAUNCHDARKLY_KEY',
  title: 'LaunchDarkly key',
  prefixes: [
    { text: 'sdk-', length: [36, 36] },
    { text: 'api-', length: [36, 36] },
  ],
  alphabet: '09af--',
  shape: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  sample: [
    syntheticSecret(8, '09af'),
    syntheticSecret(4, '09af'),
    '4b1d',
    '9c0e',
    syntheticSecret(12, '09af'),
  ].join('-'),
});
