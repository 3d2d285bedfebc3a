import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const linkedinSecret: Detector = labelledSecret({
  id: 'LINKEDIN_SECRET',
  title: 'LinkedIn client secret',
  services: ['linkedin'],
  nouns: ['secret'],
  form: /^(?:WPL_AP1\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/]{6}==|[A-Za-z0-9]{16})$/,
  letters: 62,
  sample: syntheticSecret(16, 'azAZ09'),
});
