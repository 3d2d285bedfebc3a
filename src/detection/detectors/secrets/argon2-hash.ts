import type { Detector } from '../../detector.ts';
import { passwordHash } from '../../families/password-hash.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const argon2Hash: Detector = passwordHash({
  id: 'ARGON2_HASH',
  title: 'Password hash (Argon2)',
  prefilters: [String.raw`\$argon2`],
  schemes: ['$argon2'],
  form: /^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{22,86}/,
  longest: 200,
  samples: ['id', 'i', 'd'].map(
    (kind) =>
      `$argon2${kind}$v=19$m=65536,t=3,p=4$${syntheticSecret(22, 'azAZ09')}$${syntheticSecret(22, 'azAZ09')}`,
  ),
});
