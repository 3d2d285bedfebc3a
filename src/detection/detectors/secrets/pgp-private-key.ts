import type { Detector } from '../../detector.ts';
import { pemKey } from '../../families/pem-key.ts';

export const pgpPrivateKey: Detector = pemKey({
  id: 'PGP_PRIVATE_KEY',
  title: 'PGP private key',
  kind: /PGP PRIVATE KEY BLOCK/,
  is: ['PGP PRIVATE KEY BLOCK'],
  isNot: ['PGP PUBLIC KEY BLOCK', 'PGP MESSAGE'],
});
