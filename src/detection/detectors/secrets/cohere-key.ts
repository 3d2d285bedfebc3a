import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { madeUp } from '../../families/made-up.ts';

export const cohereKey: Detector = labelledSecret({
  id: 'COHERE_KEY',
  title: 'Cohere API key',
  services: ['cohere'],
  nouns: ['api key', 'token'],
  form: /^[A-Za-z0-9]{40}$/,
  letters: 62,
  sample: madeUp(40, 'azAZ09'),
});
