import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const hetznerToken: Detector = labelledSecret({
  id: 'HETZNER_TOKEN',
  title: 'Hetzner Cloud token',
  services: ['hetzner', 'hcloud'],
  nouns: ['token', 'api key'],
  form: /^[A-Za-z0-9]{64}$/,
  letters: 62,
  sample: syntheticSecret(64, 'azAZ09'),
});
