import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const coinbaseSecret: Detector = labelledSecret({
  id: 'COINBASE_SECRET',
  title: 'Coinbase API secret',
  risk: 10,
  services: ['coinbase'],
  nouns: ['secret', 'secret key'],
  form: /^(?:[A-Za-z0-9+/]{86}==|[A-Za-z0-9]{32})$/,
  letters: 62,
  sample: syntheticSecret(32, 'azAZ09'),
});
