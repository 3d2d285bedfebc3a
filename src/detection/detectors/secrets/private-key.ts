import type { Detector } from '../../detector.ts';
import { pemKey } from '../../families/pem-key.ts';

/** Those without a name of their own, and RSA, DSA and OpenSSH. */
export const privateKey: Detector = pemKey({
  id: 'PRIVATE_KEY',
  title: 'Private key',
  kind: /(?!(?:EC|ENCRYPTED|PGP) )(?:[A-Z]+ ){0,2}PRIVATE KEY/,
  is: ['RSA PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY'],
  isNot: ['EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'],
});
