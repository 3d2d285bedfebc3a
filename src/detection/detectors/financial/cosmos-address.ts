import { bech32Checks } from '../../checks/bech32.ts';
import type { Detector } from '../../detector.ts';
import { BECH32, coinAddress } from '../../families/coin-address.ts';

/** Chains of the Cosmos family use their names as prefix. */
const CHAINS = 'cosmos osmo juno akash kava celestia axelar evmos dydx neutron inj thor terra'.split(' ');

export const cosmosAddress: Detector = coinAddress({
  id: 'COSMOS_ADDRESS',
  title: 'Address of a Cosmos chain',
  words: ['cosmos', 'atom', 'delegator', 'validator', 'osmosis'],
  forms: CHAINS.map((chain) => ({
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
});
