import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const travisToken: Detector = labelledSecret({
  id: 'TRAVIS_TOKEN',
  title: 'Travis CI token',
  services: ['travis'],
  nouns: ['token'],
  form: /^[A-Za-z0-9_-]{22}$/,
  letters: 62,
  sample: syntheticSecret(22, 'azAZ09'),
});
