import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const vaultLegacyToken: Detector = labelledSecret({
  id: 'VAULT_LEGACY_TOKEN',
  title: 'Vault token without a prefix',
  services: ['vault'],
  nouns: ['token'],
  short: true,
  form: /^s\.[A-Za-z0-9]{24}$/,
  letters: 62,
  sample: `s.${syntheticSecret(24, 'azAZ09')}`,
});
