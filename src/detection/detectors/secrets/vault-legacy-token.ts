import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { madeUp } from '../../families/made-up.ts';

export const vaultLegacyToken: Detector = labelledSecret({
  id: 'VAULT_LEGACY_TOKEN',
  title: 'Vault token without a prefix',
  services: ['vault'],
  nouns: ['token'],
  short: true,
  form: /^s\.[A-Za-z0-9]{24}$/,
  letters: 62,
  sample: `s.${madeUp(24, 'azAZ09')}`,
});
