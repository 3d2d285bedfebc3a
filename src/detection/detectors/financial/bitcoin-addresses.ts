import { base58Payload } from '../../checks/base58check.ts';
import { bech32Checks, cashAddressChecks, segwitChecks } from '../../checks/bech32.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, BECH32, coinAddress } from '../../families/ids/coin-address.ts';

/** Key hash and script hash of the main network. */
const LITECOIN_VERSIONS = new Set([0x30, 0x32]);

/** Addresses of Bitcoin and of chains derived from it. */
export const bitcoinAddresses: readonly Detector[] = [
  coinAddress({
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
  }),
  coinAddress({
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
  }),
  coinAddress({
    id: 'DASH_ADDRESS',
    title: 'Dash address',
    words: ['dash'],
    forms: [
      { pattern: `X${BASE58}{33}`, check: (text) => base58Payload(text, 25)?.[0] === 0x4c },
      { pattern: `7${BASE58}{33}`, check: (text) => base58Payload(text, 25)?.[0] === 0x10 },
    ],
    examples: {
      match: [
        'XpESxaUmonkq8RaLLp46Brx2K39ggQe226',
        '7gnwGHt17heGpG9Crfeh4KGpYNFugPhJdh',
        { text: 'dash:XpESxaUmonkq8RaLLp46Brx2K39ggQe226', value: 'XpESxaUmonkq8RaLLp46Brx2K39ggQe226' },
      ],
      not: [
        'XpESxaUmonkq8RaLLp46Brx2K39ggQe227',
        'XpESxaUmonkq8RaLLp46Brx2K39ggQe22',
        'xXpESxaUmonkq8RaLLp46Brx2K39ggQe226',
      ],
    },
  }),
  coinAddress({
    id: 'DOGECOIN_ADDRESS',
    title: 'Dogecoin address',
    words: ['dogecoin', 'doge'],
    forms: [{ pattern: `D${BASE58}{33}`, check: (text) => base58Payload(text, 25)?.[0] === 0x1e }],
    examples: {
      match: [
        'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
        { text: 'tip me: DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L!', value: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L' },
        { text: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', field: 'doge_wallet' },
      ],
      not: [
        'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7M',
        'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7',
        'ADH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
      ],
    },
  }),
  coinAddress({
    id: 'LITECOIN_ADDRESS',
    title: 'Litecoin address',
    words: ['litecoin', 'ltc'],
    forms: [
      {
        pattern: `[LM]${BASE58}{33}`,
        check: (text) => LITECOIN_VERSIONS.has(base58Payload(text, 25)?.[0] ?? 0),
      },
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
  }),
  coinAddress({
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
  }),
];
