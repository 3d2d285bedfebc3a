import type { Detector } from '../../detector.ts';
import { passwordHash } from '../../families/password-hash.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const bcryptHash: Detector = passwordHash({
  id: 'BCRYPT_HASH',
  title: 'Password hash (bcrypt)',
  schemes: ['$2a$', '$2b$', '$2y$'],
  form: /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}/,
  longest: 64,
  samples: ['a$12', 'b$10', 'y$05'].map((scheme) => `$2${scheme}$${syntheticSecret(53, 'azAZ09')}`),
});
