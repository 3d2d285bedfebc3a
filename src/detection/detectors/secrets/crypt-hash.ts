import type { Detector } from '../../detector.ts';
import { madeUp } from '../../families/made-up.ts';
import { passwordHash } from '../../families/password-hash.ts';

/** crypt(3): MD5, SHA-256, SHA-512 and yescrypt, and Apache’s own. */
export const cryptHash: Detector = passwordHash({
  id: 'CRYPT_HASH',
  title: 'Password hash (crypt)',
  schemes: ['$1$', '$5$', '$6$', '$apr1$', '$y$j'],
  form: /^\$(?:(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|5\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}|6\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}|y\$j[./A-Za-z0-9]{1,5}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43})/,
  longest: 145,
  samples: [
    `$6$${madeUp(16, 'azAZ09')}$${madeUp(86, 'azAZ09')}`,
    `$6$rounds=656000$${madeUp(16, 'azAZ09')}$${madeUp(86, 'azAZ09')}`,
    `$5$${madeUp(16, 'azAZ09')}$${madeUp(43, 'azAZ09')}`,
    `$1$${madeUp(8, 'azAZ09')}$${madeUp(22, 'azAZ09')}`,
    `$apr1$${madeUp(8, 'azAZ09')}$${madeUp(22, 'azAZ09')}`,
    `$y$j9T$${madeUp(22, 'azAZ09')}$${madeUp(43, 'azAZ09')}`,
  ],
});
