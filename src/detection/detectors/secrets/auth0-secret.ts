import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const auth0Secret: Detector = labelledSecret({
  id: 'AUTH0_SECRET',
  title: 'Auth0 client secret',
  services: ['auth0'],
  nouns: ['client secret'],
  form: /^[A-Za-z0-9_-]{64}$/,
  letters: 64,
  sample: syntheticSecret(64, 'azAZ09__--'),
});
