import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

export const onepasswordSecretKey: Detector = issuedToken({
  id: 'ONEPASSWORD_SECRET_KEY',
  title: '1Password secret key',
  prefixes: [{ text: 'A3-', length: [34, 37] }],
  alphabet: 'AZ09--',
  shape: /^[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}$/,
  sample: [
    madeUp(6, 'AZ09'),
    madeUp(6, 'AZ29'),
    ...[5, 5, 5, 5].map((n, i) => madeUp(n + i, 'AZ29').slice(0, n)),
  ].join('-'),
});
