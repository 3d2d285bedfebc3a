import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { madeUp } from '../../families/made-up.ts';

export const mailchimpKey: Detector = labelledSecret({
  id: 'MAILCHIMP_KEY',
  title: 'Mailchimp API key',
  services: ['mailchimp'],
  form: /^[0-9a-f]{32}-us\d{1,2}$/,
  letters: 16,
  sample: `${madeUp(32, '09af')}-us7`,
});
