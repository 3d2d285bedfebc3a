import { base58Payload, RIPPLE } from '../../checks/base58check.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, coinAddress } from '../../families/coin-address.ts';

export const rippleAddress: Detector = coinAddress({
  id: 'RIPPLE_ADDRESS',
  title: 'XRP Ledger address',
  words: ['ripple', 'xrp', 'xrpl'],
  forms: [{ pattern: `r${BASE58}{24,34}`, check: (text) => base58Payload(text, 25, RIPPLE)?.[0] === 0 }],
  examples: {
    match: [
      'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
      'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B',
      { text: 'XRP: rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh tag 7', value: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' },
    ],
    not: [
      'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi',
      'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyThh',
      'registerAllTransformersNowPlease',
    ],
  },
});
