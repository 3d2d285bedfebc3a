import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const onepasswordSecretKey: Detector = issuedToken({
  id: 'ONEPASSWORD_SECRET_KEY',
  title: '1Password secret key',
  prefixes: [{ text: 'A3-', length: [34, 37] }],
  alphabet: 'AZ09--',
  shape: /^[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}$/,
  sample: [
    syntheticSecret(6, 'AZ09'),
    syntheticSecret(6, 'AZ29'),
    ...[5, 5, 5, 5].map((n, i) => syntheticSecret(n + i, 'AZ29').slice(0, n)),
  ].join('-'),
});
