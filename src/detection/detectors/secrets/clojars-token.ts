import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const clojarsToken: Detector = issuedToken({
  id: 'CLOJARS_TOKEN',
  title: 'Clojars deploy token',
  prefixes: [{ text: 'CLOJARS_', length: [60, 60] }],
  alphabet: 'az09',
});
