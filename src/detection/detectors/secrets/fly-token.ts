import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const flyToken: Detector = issuedToken({
  id: 'FLY_TOKEN',
  title: 'Fly.io token',
  prefixes: [
    { text: 'fm2_', length: [100, 2000] },
    { text: 'fm1r_', length: [100, 2000] },
    { text: 'fm1a_', length: [100, 2000] },
    { text: 'fo1_', length: [43, 43], alphabet: 'azAZ09__--' },
  ],
  alphabet: 'azAZ09++//',
  padded: true,
});
