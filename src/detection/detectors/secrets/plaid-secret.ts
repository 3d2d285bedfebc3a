import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const plaidSecret: Detector = labelledSecret({
  id: 'PLAID_SECRET',
  title: 'Plaid secret',
  risk: 10,
  services: ['plaid'],
  nouns: ['secret', 'key'],
  form: /^[0-9a-f]{30}$/,
  letters: 16,
  sample: syntheticSecret(30, '09af'),
});
