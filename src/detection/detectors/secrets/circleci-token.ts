import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const circleciToken: Detector = issuedToken({
  id: 'CIRCLECI_TOKEN',
  title: 'CircleCI token',
  prefixes: [
    { text: 'CCIPAT_', length: [63, 63] },
    { text: 'CCIPRJ_', length: [63, 63] },
  ],
  alphabet: 'azAZ09__',
  shape: /^[A-Za-z0-9]{22}_[0-9a-f]{40}$/,
  sample: `${syntheticSecret(22, 'azAZ09')}_${syntheticSecret(40, '09af')}`,
  examples: { match: [`CCIPRJ_${syntheticSecret(22, 'azAZ09')}_${syntheticSecret(40, '09af')}`], not: [] },
});
