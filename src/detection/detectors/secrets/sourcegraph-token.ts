import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

export const sourcegraphToken: Detector = issuedToken({
  id: 'SOURCEGRAPH_TOKEN',
  title: 'Sourcegraph token',
  prefixes: [{ text: 'sgp_', length: [40, 62] }],
  alphabet: 'azAZ09__',
  shape: /^(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}$/,
  sample: `${madeUp(16, '09af')}_${madeUp(40, '09af')}`,
  examples: { match: [`sgp_local_${madeUp(40, '09af')}`], not: [] },
});
