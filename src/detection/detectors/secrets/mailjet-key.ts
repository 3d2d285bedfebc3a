import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const mailjetKey: Detector = labelledSecret({
  id: 'MAILJET_KEY',
  title: 'Mailjet key',
  services: ['mailjet', 'mj_apikey', 'mj_api'],
  nouns: ['secret key', 'apikey private', 'apikey public', 'api key', 'secret'],
  form: /^[0-9a-f]{32}$/,
  letters: 16,
  sample: syntheticSecret(32, '09af'),
});
