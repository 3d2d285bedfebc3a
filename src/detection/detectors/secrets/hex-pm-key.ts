import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const hexPmKey: Detector = labelledSecret({
  id: 'HEX_PM_KEY',
  title: 'Hex.pm API key',
  services: ['hex_api', 'hexpm', 'hex_organization', 'hex_publish'],
  nouns: ['key'],
  short: true,
  form: /^[0-9a-f]{32}$/,
  letters: 16,
  sample: syntheticSecret(32, '09af'),
});
