import type { Detector } from '../../../detector.ts';
import { pemKey } from '../../../families/secrets/pem-key.ts';

/** Private keys in PEM files. */
export const pemKeys: readonly Detector[] = [
  pemKey({
    id: 'EC_PRIVATE_KEY',
    title: 'Private key of an elliptic curve',
    kind: /EC PRIVATE KEY/,
    is: ['EC PRIVATE KEY'],
    isNot: ['RSA PRIVATE KEY', 'EC PARAMETERS'],
  }),
  // Useless without its passphrase, which is often stored next to it.
  pemKey({
    id: 'ENCRYPTED_PRIVATE_KEY',
    title: 'Private key, encrypted',
    risk: 6,
    kind: /ENCRYPTED PRIVATE KEY/,
    is: ['ENCRYPTED PRIVATE KEY'],
    isNot: ['PRIVATE KEY'],
  }),
  pemKey({
    id: 'PGP_PRIVATE_KEY',
    title: 'PGP private key',
    kind: /PGP PRIVATE KEY BLOCK/,
    is: ['PGP PRIVATE KEY BLOCK'],
    isNot: ['PGP PUBLIC KEY BLOCK', 'PGP MESSAGE'],
  }),
  // Those without a name of their own, and RSA, DSA and OpenSSH.
  pemKey({
    id: 'PRIVATE_KEY',
    title: 'Private key',
    kind: /(?!(?:EC|ENCRYPTED|PGP) )(?:[A-Z]+ ){0,2}PRIVATE KEY/,
    is: ['RSA PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY'],
    isNot: ['EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'],
  }),
];
