import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const honeycombKey: Detector = issuedToken({
  id: 'HONEYCOMB_KEY',
  title: 'Honeycomb key',
  prefixes: ['hcaik_', 'hcamk_', 'hcxik_'].map((text) => ({ text, length: [58, 58] })),
  alphabet: 'az09',
});
