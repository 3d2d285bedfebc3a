import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const mailgunPrivateKey: Detector = labelledSecret({
  id: 'MAILGUN_PRIVATE_KEY',
  title: 'Mailgun key without a prefix',
  services: ['mailgun'],
  form: /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/,
  letters: 16,
  sample: [syntheticSecret(32, '09af'), syntheticSecret(8, '09af'), syntheticSecret(9, '09af').slice(1)].join(
    '-',
  ),
});
