import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const octopusKey: Detector = issuedToken({
  id: 'OCTOPUS_KEY',
  title: 'Octopus Deploy API key',
  prefixes: [{ text: 'API-', length: [25, 32] }],
  alphabet: 'AZ09',
});
