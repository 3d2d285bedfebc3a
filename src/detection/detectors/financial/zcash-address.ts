import { base58Payload } from '../../checks/base58check.ts';
import { bech32Checks } from '../../checks/bech32.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, BECH32, coinAddress } from '../../families/coin-address.ts';

export const zcashAddress: Detector = coinAddress({
  id: 'ZCASH_ADDRESS',
  title: 'Zcash address',
  words: ['zcash', 'zec'],
  forms: [
    { pattern: `t1${BASE58}{33}`, check: (text) => base58Payload(text, 26)?.readUInt16BE() === 0x1cb8 },
    { pattern: `t3${BASE58}{33}`, check: (text) => base58Payload(text, 26)?.readUInt16BE() === 0x1cbd },
    { pattern: `zs1${BECH32}{75}`, check: bech32Checks },
  ],
  examples: {
    match: [
      't1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs',
      't3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd',
      { text: 'ZEC t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs', value: 't1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs' },
    ],
    not: [
      't1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbt',
      't2Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs',
      't1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLb',
    ],
  },
});
