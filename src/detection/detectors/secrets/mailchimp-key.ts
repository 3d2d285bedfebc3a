import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const mailchimpKey: Detector = labelledSecret({
  id: 'MAILCHIMP_KEY',
  title: 'Mailchimp API key',
  services: ['mailchimp'],
  form: /^[0-9a-f]{32}-us\d{1,2}$/,
  letters: 16,
  sample: `${syntheticSecret(32, '09af')}-us7`,
});
