import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const vultrKey: Detector = labelledSecret({
  id: 'VULTR_KEY',
  title: 'Vultr API key',
  services: ['vultr'],
  nouns: ['api key'],
  short: true,
  form: /^[A-Z0-9]{36}$/,
  letters: 36,
  sample: syntheticSecret(36, 'AZ09'),
});
