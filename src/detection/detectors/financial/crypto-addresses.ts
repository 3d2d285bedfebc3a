import { base58Decode, base58Payload, RIPPLE } from '../../checks/base58check.ts';
import { bech32Checks } from '../../checks/bech32.ts';
import { algorandChecks, moneroChecks, strkeyChecks } from '../../checks/crypto-addresses.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, BECH32, coinAddress } from '../../families/ids/coin-address.ts';

/** Chains of the Cosmos family use their names as prefix. */
const COSMOS_CHAINS = 'cosmos osmo juno akash kava celestia axelar evmos dydx neutron inj thor terra'.split(
  ' ',
);

/** Addresses of other cryptocurrencies. */
export const cryptoAddresses: readonly Detector[] = [
  coinAddress({
    id: 'ALGORAND_ADDRESS',
    title: 'Algorand address',
    words: ['algorand', 'algo'],
    forms: [{ pattern: `[A-Z2-7]{57}[AEIMQUY4]`, check: algorandChecks }],
    examples: {
      match: [
        '7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6Q',
        { text: '7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6Q', field: 'algo_address' },
        {
          text: 'to 7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6Q,',
          value: '7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6Q',
        },
      ],
      not: [
        'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKA',
        '7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6U',
        '7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6',
      ],
    },
  }),
  coinAddress({
    id: 'CARDANO_ADDRESS',
    title: 'Cardano address',
    words: ['cardano', 'ada'],
    forms: [
      { pattern: `addr1${BECH32}{98}`, check: bech32Checks },
      { pattern: `addr1${BECH32}{53}`, check: bech32Checks },
      { pattern: `stake1${BECH32}{53}`, check: bech32Checks },
    ],
    examples: {
      match: [
        'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
        'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
        'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw',
      ],
      not: [
        'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl9',
        'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl',
        'addr1 line of the form',
      ],
    },
  }),
  coinAddress({
    id: 'COSMOS_ADDRESS',
    title: 'Address of a Cosmos chain',
    words: ['cosmos', 'atom', 'delegator', 'validator', 'osmosis'],
    forms: COSMOS_CHAINS.map((chain) => ({
      pattern: `${chain}(?:valoper)?1${BECH32}{38,58}`,
      check: bech32Checks,
    })),
    examples: {
      match: [
        'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27',
        {
          text: 'to cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27, thanks',
          value: 'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27',
        },
        { text: 'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27', field: 'delegator_address' },
      ],
      not: [
        'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d28',
        'osmo1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27',
        'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d2',
      ],
    },
  }),
  coinAddress({
    id: 'MONERO_ADDRESS',
    title: 'Monero address',
    words: ['monero', 'xmr'],
    forms: [
      { pattern: `4[0-9AB]${BASE58}{104}`, check: moneroChecks },
      { pattern: `4[0-9AB]${BASE58}{93}`, check: moneroChecks },
      { pattern: `8[0-9AB]${BASE58}{93}`, check: moneroChecks },
    ],
    examples: {
      match: [
        '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
        '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H',
        {
          text: 'xmr 44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
          value:
            '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
        },
      ],
      not: [
        '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3B',
        '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3',
        '84AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
      ],
    },
  }),
  coinAddress({
    id: 'RIPPLE_ADDRESS',
    title: 'XRP Ledger address',
    words: ['ripple', 'xrp', 'xrpl'],
    forms: [{ pattern: `r${BASE58}{24,34}`, check: (text) => base58Payload(text, 25, RIPPLE)?.[0] === 0 }],
    examples: {
      match: [
        'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
        'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B',
        {
          text: 'XRP: rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh tag 7',
          value: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
        },
      ],
      not: [
        'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi',
        'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyThh',
        'registerAllTransformersNowPlease',
      ],
    },
  }),
  // Nothing but a public key in base 58: 32 bytes without any checksum, so it needs its label.
  coinAddress({
    id: 'SOLANA_ADDRESS',
    title: 'Solana address',
    confidence: 0.8,
    words: ['solana', 'sol', 'phantom', 'spl', 'pubkey', 'lamports'],
    forms: [
      {
        pattern: `${BASE58}{32,44}`,
        check: (text) => base58Decode(text, 32) !== null && /\d/.test(text),
        labelled: true,
      },
    ],
    examples: {
      match: [
        {
          text: 'Solana wallet: 7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
          value: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
        },
        {
          text: 'SOL TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
          value: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        },
        { text: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', field: 'sol_address' },
      ],
      not: [
        'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        'Solana wallet: TokenkegQfeZyiNwAJbNbGKPFXCWuB',
        'SOL TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5D0',
      ],
    },
  }),
  coinAddress({
    id: 'STELLAR_ADDRESS',
    title: 'Stellar account',
    words: ['stellar', 'xlm', 'lumens'],
    forms: [{ pattern: `G[A-D][A-Z2-7]{54}`, check: strkeyChecks }],
    examples: {
      match: [
        'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
        'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7',
        {
          text: 'XLM: GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
          value: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
        },
      ],
      not: [
        'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA',
        'AGA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
        'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSG',
      ],
    },
  }),
  coinAddress({
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
  }),
  coinAddress({
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
  }),
];
