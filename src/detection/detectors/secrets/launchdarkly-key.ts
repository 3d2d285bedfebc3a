import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

/** Client ids and mobile keys (mob-) are shipped to users anyway and not looked for. */
export const launchdarklyKey: Detector = issuedToken({
  id: 'LAUNCHDARKLY_KEY',
  title: 'LaunchDarkly key',
  prefixes: [
    { text: 'sdk-', length: [36, 36] },
    { text: 'api-', length: [36, 36] },
  ],
  alphabet: '09af--',
  shape: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  sample: [madeUp(8, '09af'), madeUp(4, '09af'), '4b1d', '9c0e', madeUp(12, '09af')].join('-'),
});
