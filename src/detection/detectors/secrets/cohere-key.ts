import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const cohereKey: Detector = labelledSecret({
  id: 'COHERE_KEY',
  title: 'Cohere API key',
  services: ['cohere'],
  nouns: ['api key', 'token'],
  form: /^[A-Za-z0-9]{40}$/,
  letters: 62,
  sample: syntheticSecret(40, 'azAZ09'),
});
