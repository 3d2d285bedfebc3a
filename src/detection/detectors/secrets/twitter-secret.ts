import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const twitterSecret: Detector = labelledSecret({
  id: 'TWITTER_SECRET',
  title: 'X (Twitter) secret',
  services: ['twitter'],
  nouns: ['secret'],
  form: /^(?:[A-Za-z0-9]{50}|[A-Za-z0-9]{45})$/,
  letters: 62,
  sample: syntheticSecret(50, 'azAZ09'),
});
