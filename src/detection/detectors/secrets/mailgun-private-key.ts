import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { madeUp } from '../../families/made-up.ts';

export const mailgunPrivateKey: Detector = labelledSecret({
  id: 'MAILGUN_PRIVATE_KEY',
  title: 'Mailgun key without a prefix',
  services: ['mailgun'],
  form: /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/,
  letters: 16,
  sample: [madeUp(32, '09af'), madeUp(8, '09af'), madeUp(9, '09af').slice(1)].join('-'),
});
