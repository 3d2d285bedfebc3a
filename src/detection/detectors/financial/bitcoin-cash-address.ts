import { cashAddressChecks } from '../../checks/bech32.ts';
import type { Detector } from '../../detector.ts';
import { BECH32, coinAddress } from '../../families/coin-address.ts';

export const bitcoinCashAddress: Detector = coinAddress({
  id: 'BITCOIN_CASH_ADDRESS',
  title: 'Bitcoin Cash address',
  words: ['bitcoin cash', 'bch'],
  forms: [
    {
      pattern: `bitcoincash:[qp]${BECH32}{41}`,
      check: (text) => cashAddressChecks(text.slice('bitcoincash:'.length)),
    },
    { pattern: `q${BECH32}{41}`, check: cashAddressChecks },
    { pattern: `p${BECH32}{41}`, check: cashAddressChecks },
  ],
  examples: {
    match: [
      'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy',
      'qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r',
      {
        text: 'BCH qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy',
        value: 'qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy',
      },
    ],
    not: [
      'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuz',
      'qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2q',
      'qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2',
      'bitcoincash:',
    ],
  },
});
