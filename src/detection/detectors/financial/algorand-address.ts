import { algorandChecks } from '../../checks/algorand.ts';
import type { Detector } from '../../detector.ts';
import { coinAddress } from '../../families/coin-address.ts';

export const algorandAddress: Detector = coinAddress({
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
});
