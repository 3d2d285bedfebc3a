import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const fastlyToken: Detector = labelledSecret({
  id: 'FASTLY_TOKEN',
  title: 'Fastly token',
  services: ['fastly'],
  nouns: ['token', 'api key'],
  form: /^[A-Za-z0-9_-]{32}$/,
  letters: 64,
  sample: syntheticSecret(32, 'azAZ09'),
});
