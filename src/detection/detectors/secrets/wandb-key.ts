import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const wandbKey: Detector = labelledSecret({
  id: 'WANDB_KEY',
  title: 'Weights and Biases API key',
  services: ['wandb'],
  nouns: ['api key'],
  short: true,
  form: /^[0-9a-f]{40}$/,
  letters: 16,
  sample: syntheticSecret(40, '09af'),
});
