import { base58Payload } from '../../checks/base58check.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, coinAddress } from '../../families/coin-address.ts';

export const dashAddress: Detector = coinAddress({
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
});
