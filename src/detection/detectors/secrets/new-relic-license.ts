import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const newRelicLicense: Detector = labelledSecret({
  id: 'NEW_RELIC_LICENSE',
  title: 'New Relic license key',
  risk: 7,
  services: ['new_relic', 'newrelic'],
  nouns: ['license key', 'license', 'key'],
  form: /^[0-9a-zA-Z]{36}NRAL$/,
  letters: 16,
  sample: `${syntheticSecret(36, '09af')}NRAL`,
});
