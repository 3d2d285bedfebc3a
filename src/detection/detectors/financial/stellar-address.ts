import { strkeyChecks } from '../../checks/strkey.ts';
import type { Detector } from '../../detector.ts';
import { coinAddress } from '../../families/coin-address.ts';

export const stellarAddress: Detector = coinAddress({
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
});
