import { base58Payload } from '../../checks/base58check.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, coinAddress } from '../../families/coin-address.ts';

export const tronAddress: Detector = coinAddress({
  id: 'TRON_ADDRESS',
  title: 'Tron address',
  words: ['tron', 'trx', 'trc'],
  forms: [{ pattern: `T${BASE58}{33}`, check: (text) => base58Payload(text, 25)?.[0] === 0x41 }],
  examples: {
    match: [
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      {
        text: 'USDT (TRC20): TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        value: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      },
      { text: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', field: 'tron_address' },
    ],
    not: [
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6',
      'XTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    ],
  },
});
