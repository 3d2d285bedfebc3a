import { base58Payload } from '../../checks/base58check.ts';
import { segwitChecks } from '../../checks/bech32.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, BECH32, coinAddress } from '../../families/coin-address.ts';

export const litecoinAddress: Detector = coinAddress({
  id: 'LITECOIN_ADDRESS',
  title: 'Litecoin address',
  words: ['litecoin', 'ltc'],
  forms: [
    { pattern: `[LM]${BASE58}{33}`, check: (text) => VERSIONS.has(base58Payload(text, 25)?.[0] ?? 0) },
    { pattern: `ltc1${BECH32}{39}`, check: segwitChecks },
    { pattern: `ltc1${BECH32}{59}`, check: segwitChecks },
  ],
  examples: {
    match: [
      'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
      'MVcg9uEvtWuP5N6V48EHfEtbz48qR8TKZ9',
      'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea',
    ],
    not: [
      'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH8',
      'aLVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
      'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfeb',
      'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH',
    ],
  },
});

/** Key hash and script hash of the main network. */
const VERSIONS = new Set([0x30, 0x32]);
