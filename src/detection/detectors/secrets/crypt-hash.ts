import type { Detector } from '../../detector.ts';
import { passwordHash } from '../../families/password-hash.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** crypt(3): MD5, SHA-256, SHA-512 and yescrypt, and Apache’s own. */
export const cryptHash: Detector = passwordHash({
  id: 'CRYPT_HASH',
  title: 'Password hash (crypt)',
  schemes: ['$1$', '$5$', '$6$', '$apr1$', '$y$j'],
  form: /^\$(?:(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|5\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}|6\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}|y\$j[./A-Za-z0-9]{1,5}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43})/,
  longest: 145,
  samples: [
    `$6$${syntheticSecret(16, 'azAZ09')}$${syntheticSecret(86, 'azAZ09')}`,
    `$6$rounds=656000$${syntheticSecret(16, 'azAZ09')}$${syntheticSecret(86, 'azAZ09')}`,
    `$5$${syntheticSecret(16, 'azAZ09')}$${syntheticSecret(43, 'azAZ09')}`,
    `$1$${syntheticSecret(8, 'azAZ09')}$${syntheticSecret(22, 'azAZ09')}`,
    `$apr1$${syntheticSecret(8, 'azAZ09')}$${syntheticSecret(22, 'azAZ09')}`,
    `$y$j9T$${syntheticSecret(22, 'azAZ09')}$${syntheticSecret(43, 'azAZ09')}`,
  ],
});
