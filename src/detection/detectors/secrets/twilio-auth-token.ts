import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const twilioAuthToken: Detector = labelledSecret({
  id: 'TWILIO_AUTH_TOKEN',
  title: 'Twilio auth token',
  services: ['twilio'],
  nouns: ['token', 'secret'],
  form: /^[0-9a-f]{32}$/,
  letters: 16,
  sample: syntheticSecret(32, '09af'),
});
