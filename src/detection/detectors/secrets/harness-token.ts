import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

export const harnessToken: Detector = issuedToken({
  id: 'HARNESS_TOKEN',
  title: 'Harness token',
  prefixes: [
    { text: 'pat.', length: [68, 68] },
    { text: 'sat.', length: [68, 68] },
  ],
  alphabet: 'azAZ09__--..',
  shape: /^[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}$/,
  sample: [madeUp(22, 'azAZ09'), madeUp(24, '09af'), madeUp(20, 'azAZ09')].join('.'),
});
