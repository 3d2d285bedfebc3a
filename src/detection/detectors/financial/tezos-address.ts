import { base58Payload } from '../../checks/base58check.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, coinAddress } from '../../families/coin-address.ts';

export const tezosAddress: Detector = coinAddress({
  id: 'TEZOS_ADDRESS',
  title: 'Tezos address',
  words: ['tezos', 'xtz'],
  forms: [
    { pattern: `tz[1-4]${BASE58}{33}`, check: (text) => base58Payload(text, 27) !== null },
    { pattern: `KT1${BASE58}{33}`, check: (text) => base58Payload(text, 27) !== null },
  ],
  examples: {
    match: [
      'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb',
      'KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn',
      {
        text: 'delegate tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb.',
        value: 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb',
      },
    ],
    not: [
      'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcja',
      'tz5VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb',
      'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcj',
    ],
  },
});
