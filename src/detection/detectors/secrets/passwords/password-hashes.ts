import type { Detector } from '../../../detector.ts';
import { passwordHash } from '../../../families/secrets/password-hash.ts';
import { syntheticSecret } from '../../../families/secrets/synthetic-secret.ts';

/** Password hashes. */
export const passwordHashes: readonly Detector[] = [
  passwordHash({
    id: 'ARGON2_HASH',
    title: 'Password hash (Argon2)',
    prefilters: [String.raw`\$argon2`],
    schemes: ['$argon2'],
    form: /^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{22,86}/,
    maxLength: 200,
    samples: ['id', 'i', 'd'].map(
      (kind) =>
        `$argon2${kind}$v=19$m=65536,t=3,p=4$${syntheticSecret(22, 'azAZ09')}$${syntheticSecret(22, 'azAZ09')}`,
    ),
  }),
  passwordHash({
    id: 'BCRYPT_HASH',
    title: 'Password hash (bcrypt)',
    schemes: ['$2a$', '$2b$', '$2y$'],
    form: /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}/,
    maxLength: 64,
    samples: ['a$12', 'b$10', 'y$05'].map((scheme) => `$2${scheme}$${syntheticSecret(53, 'azAZ09')}`),
  }),
  // crypt(3): MD5, SHA-256, SHA-512 and yescrypt, and Apache’s own.
  passwordHash({
    id: 'CRYPT_HASH',
    title: 'Password hash (crypt)',
    schemes: ['$1$', '$5$', '$6$', '$apr1$', '$y$j'],
    form: /^\$(?:(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|5\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}|6\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}|y\$j[./A-Za-z0-9]{1,5}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43})/,
    maxLength: 145,
    samples: [
      `$6$${syntheticSecret(16, 'azAZ09')}$${syntheticSecret(86, 'azAZ09')}`,
      `$6$rounds=656000$${syntheticSecret(16, 'azAZ09')}$${syntheticSecret(86, 'azAZ09')}`,
      `$5$${syntheticSecret(16, 'azAZ09')}$${syntheticSecret(43, 'azAZ09')}`,
      `$1$${syntheticSecret(8, 'azAZ09')}$${syntheticSecret(22, 'azAZ09')}`,
      `$apr1$${syntheticSecret(8, 'azAZ09')}$${syntheticSecret(22, 'azAZ09')}`,
      `$y$j9T$${syntheticSecret(22, 'azAZ09')}$${syntheticSecret(43, 'azAZ09')}`,
    ],
  }),
  // As Django writes it.
  passwordHash({
    id: 'PBKDF2_HASH',
    title: 'Password hash (PBKDF2)',
    prefilters: [String.raw`\bpbkdf2_sha25`, String.raw`\bpbkdf2_sha1\$`],
    schemes: ['pbkdf2_'],
    form: /^pbkdf2_sha(?:256\$\d{3,8}\$[A-Za-z0-9]{1,64}\$[A-Za-z0-9+/]{43}=|1\$\d{3,8}\$[A-Za-z0-9]{1,64}\$[A-Za-z0-9+/]{27}=)/,
    maxLength: 150,
    samples: [600000, 260000, 36000].map(
      (rounds) =>
        `pbkdf2_sha256$${rounds}$${syntheticSecret(22, 'azAZ09')}$${syntheticSecret(43, 'azAZ09')}=`,
    ),
  }),
];
