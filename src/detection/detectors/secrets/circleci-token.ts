import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

export const circleciToken: Detector = issuedToken({
  id: 'CIRCLECI_TOKEN',
  title: 'CircleCI token',
  prefixes: [
    { text: 'CCIPAT_', length: [63, 63] },
    { text: 'CCIPRJ_', length: [63, 63] },
  ],
  alphabet: 'azAZ09__',
  shape: /^[A-Za-z0-9]{22}_[0-9a-f]{40}$/,
  sample: `${madeUp(22, 'azAZ09')}_${madeUp(40, '09af')}`,
  examples: { match: [`CCIPRJ_${madeUp(22, 'azAZ09')}_${madeUp(40, '09af')}`], not: [] },
});
