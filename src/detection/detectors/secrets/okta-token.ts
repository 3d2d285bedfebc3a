import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const oktaToken: Detector = labelledSecret({
  id: 'OKTA_TOKEN',
  title: 'Okta API token',
  services: ['okta'],
  nouns: ['token'],
  short: true,
  form: /^00[A-Za-z0-9_-]{39}[A-Za-z0-9]$/,
  letters: 64,
  sample: `00${syntheticSecret(40, 'azAZ09')}`,
});
