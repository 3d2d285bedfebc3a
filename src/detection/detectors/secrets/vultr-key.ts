import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { madeUp } from '../../families/made-up.ts';

export const vultrKey: Detector = labelledSecret({
  id: 'VULTR_KEY',
  title: 'Vultr API key',
  services: ['vultr'],
  nouns: ['api key'],
  short: true,
  form: /^[A-Z0-9]{36}$/,
  letters: 36,
  sample: madeUp(36, 'AZ09'),
});
