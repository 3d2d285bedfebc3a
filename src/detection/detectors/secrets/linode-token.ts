import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const linodeToken: Detector = labelledSecret({
  id: 'LINODE_TOKEN',
  title: 'Linode token',
  services: ['linode'],
  nouns: ['token', 'api key'],
  form: /^[0-9a-f]{64}$/,
  letters: 16,
  sample: syntheticSecret(64, '09af'),
});
