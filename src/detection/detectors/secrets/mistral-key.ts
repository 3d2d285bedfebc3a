import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const mistralKey: Detector = labelledSecret({
  id: 'MISTRAL_KEY',
  title: 'Mistral API key',
  services: ['mistral'],
  nouns: ['api key', 'token'],
  form: /^[A-Za-z0-9]{32}$/,
  letters: 62,
  sample: syntheticSecret(32, 'azAZ09'),
});
