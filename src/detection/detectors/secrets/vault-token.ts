import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

/** Service, batch and recovery tokens of Vault 1.10 and later. */
export const vaultToken: Detector = issuedToken({
  id: 'VAULT_TOKEN',
  title: 'HashiCorp Vault token',
  prefixes: [
    { text: 'hvs.', length: [24, 300] },
    { text: 'hvb.', length: [100, 400] },
    { text: 'hvr.', length: [100, 400] },
  ],
  alphabet: 'azAZ09__--',
});
