import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { madeUp } from '../../families/made-up.ts';

export const herokuLegacyKey: Detector = labelledSecret({
  id: 'HEROKU_LEGACY_KEY',
  title: 'Heroku API key without a prefix',
  services: ['heroku'],
  nouns: ['api key', 'token'],
  form: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  letters: 16,
  sample: [madeUp(8, '09af'), madeUp(4, '09af'), '4b1d', '9c0e', madeUp(12, '09af')].join('-'),
});
