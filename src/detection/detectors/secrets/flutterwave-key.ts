import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const flutterwaveKey: Detector = issuedToken({
  id: 'FLUTTERWAVE_KEY',
  title: 'Flutterwave secret key',
  prefixes: [
    { text: 'FLWSECK-', length: [34, 50] },
    { text: 'FLWSECK_TEST-', length: [34, 50] },
  ],
  alphabet: 'azAZ09--',
  shape: /^[0-9A-Za-z]{32}(?:-[0-9A-Za-z]+)?-X$/,
  sample: `${syntheticSecret(32, '09af')}-X`,
});
