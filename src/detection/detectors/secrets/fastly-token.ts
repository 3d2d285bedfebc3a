import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { madeUp } from '../../families/made-up.ts';

export const fastlyToken: Detector = labelledSecret({
  id: 'FASTLY_TOKEN',
  title: 'Fastly token',
  services: ['fastly'],
  nouns: ['token', 'api key'],
  form: /^[A-Za-z0-9_-]{32}$/,
  letters: 64,
  sample: madeUp(32, 'azAZ09'),
});
