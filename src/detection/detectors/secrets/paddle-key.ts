import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const paddleKey: Detector = issuedToken({
  id: 'PADDLE_KEY',
  title: 'Paddle API key',
  prefixes: [
    { text: 'pdl_live_apikey_', length: [53, 53] },
    { text: 'pdl_sdbx_apikey_', length: [53, 53] },
  ],
  alphabet: 'azAZ09__',
  shape: /^[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}$/,
  sample: [syntheticSecret(26, 'az09'), syntheticSecret(22, 'azAZ09'), 'A7k'].join('_'),
});
