import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const paypalSecret: Detector = labelledSecret({
  id: 'PAYPAL_SECRET',
  title: 'PayPal client secret',
  risk: 10,
  services: ['paypal'],
  nouns: ['secret', 'secret key'],
  form: /^E[A-Za-z0-9_-]{78}[A-Za-z0-9]$/,
  letters: 64,
  sample: `E${syntheticSecret(79, 'azAZ09__--')}`,
});
