import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const asanaToken: Detector = labelledSecret({
  id: 'ASANA_TOKEN',
  title: 'Asana access token',
  services: ['asana'],
  nouns: ['access token', 'pat', 'token'],
  form: /^(?:[12]\/\d{16}(?:\/\d{16})?:[0-9a-f]{32}|0\/[0-9a-f]{32})$/,
  letters: 16,
  sample: `1/${syntheticSecret(16, '19')}:${syntheticSecret(32, '09af')}`,
});
