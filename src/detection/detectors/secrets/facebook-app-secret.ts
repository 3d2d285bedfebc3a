import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const facebookAppSecret: Detector = labelledSecret({
  id: 'FACEBOOK_APP_SECRET',
  title: 'Facebook app secret',
  services: ['facebook', 'fb_app', 'fb_client', 'instagram', 'whatsapp'],
  nouns: ['secret'],
  form: /^[0-9a-f]{32}$/,
  letters: 16,
  sample: syntheticSecret(32, '09af'),
});
