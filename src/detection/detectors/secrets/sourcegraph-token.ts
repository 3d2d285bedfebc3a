import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const sourcegraphToken: Detector = issuedToken({
  id: 'SOURCEGRAPH_TOKEN',
  title: 'Sourcegraph token',
  prefixes: [{ text: 'sgp_', length: [40, 62] }],
  alphabet: 'azAZ09__',
  shape: /^(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}$/,
  sample: `${syntheticSecret(16, '09af')}_${syntheticSecret(40, '09af')}`,
  examples: { match: [`sgp_local_${syntheticSecret(40, '09af')}`], not: [] },
});
