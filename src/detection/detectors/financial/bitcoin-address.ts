import { base58Payload } from '../../checks/base58check.ts';
import { segwitChecks } from '../../checks/bech32.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, BECH32, coinAddress } from '../../families/coin-address.ts';

export const bitcoinAddress: Detector = coinAddress({
  id: 'BITCOIN_ADDRESS',
  title: 'Bitcoin address',
  words: ['bitcoin', 'btc', 'satoshi'],
  forms: [
    { pattern: `1${BASE58}{25,33}`, check: (text) => base58Payload(text, 25)?.[0] === 0 },
    { pattern: `3${BASE58}{33}`, check: (text) => base58Payload(text, 25)?.[0] === 5 },
    { pattern: `bc1${BECH32}{39}`, check: segwitChecks },
    { pattern: `bc1${BECH32}{59}`, check: segwitChecks },
    { pattern: 'BC1[02-9AC-HJ-NP-Z]{39,59}', check: segwitChecks },
  ],
  examples: {
    match: [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      {
        text: 'bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2?amount=0.01',
        value: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      },
    ],
    not: [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLyy',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
      'x1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    ],
  },
});
