import { base58Payload } from '../../checks/base58check.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, coinAddress } from '../../families/coin-address.ts';

export const dogecoinAddress: Detector = coinAddress({
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
});
