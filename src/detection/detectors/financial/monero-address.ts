import { moneroChecks } from '../../checks/monero.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, coinAddress } from '../../families/coin-address.ts';

export const moneroAddress: Detector = coinAddress({
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
});
