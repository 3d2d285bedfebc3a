import type { Detector } from '../../detector.ts';
import { passwordHash } from '../../families/password-hash.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** As Django writes it. */
export const pbkdf2Hash: Detector = passwordHash({
  id: 'PBKDF2_HASH',
  title: 'Password hash (PBKDF2)',
  prefilters: [String.raw`\bpbkdf2_sha25`, String.raw`\bpbkdf2_sha1\$`],
  schemes: ['pbkdf2_'],
  form: /^pbkdf2_sha(?:256\$\d{3,8}\$[A-Za-z0-9]{1,64}\$[A-Za-z0-9+/]{43}=|1\$\d{3,8}\$[A-Za-z0-9]{1,64}\$[A-Za-z0-9+/]{27}=)/,
  longest: 150,
  samples: [600000, 260000, 36000].map(
    (rounds) => `pbkdf2_sha256$${rounds}$${syntheticSecret(22, 'azAZ09')}$${syntheticSecret(43, 'azAZ09')}=`,
  ),
});
