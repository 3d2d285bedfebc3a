import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const vercelLegacyToken: Detector = labelledSecret({
  id: 'VERCEL_LEGACY_TOKEN',
  title: 'Vercel token without a prefix',
  services: ['vercel'],
  nouns: ['token'],
  form: /^[A-Za-z0-9]{24}$/,
  letters: 62,
  sample: syntheticSecret(24, 'azAZ09'),
});
