import type { Detector } from '../../detector.ts';
import { pemKey } from '../../families/pem-key.ts';

/** Useless without its passphrase, which is often stored next to it. */
export const encryptedPrivateKey: Detector = pemKey({
  id: 'ENCRYPTED_PRIVATE_KEY',
  title: 'Private key, encrypted',
  risk: 6,
  kind: /ENCRYPTED PRIVATE KEY/,
  is: ['ENCRYPTED PRIVATE KEY'],
  isNot: ['PRIVATE KEY'],
});
