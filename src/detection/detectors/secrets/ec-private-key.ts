import type { Detector } from '../../detector.ts';
import { pemKey } from '../../families/pem-key.ts';

export const ecPrivateKey: Detector = pemKey({
  id: 'EC_PRIVATE_KEY',
  title: 'Private key of an elliptic curve',
  kind: /EC PRIVATE KEY/,
  is: ['EC PRIVATE KEY'],
  isNot: ['RSA PRIVATE KEY', 'EC PARAMETERS'],
});
