import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const braintreeToken: Detector = issuedToken({
  id: 'BRAINTREE_TOKEN',
  title: 'Braintree access token',
  risk: 10,
  prefixes: [
    { text: 'access_token$production$', length: [49, 49] },
    { text: 'access_token$sandbox$', length: [49, 49] },
  ],
  alphabet: '09az$$',
  shape: /^[0-9a-z]{16}\$[0-9a-f]{32}$/,
  sample: `${syntheticSecret(16, '09az')}$${syntheticSecret(32, '09af')}`,
});
