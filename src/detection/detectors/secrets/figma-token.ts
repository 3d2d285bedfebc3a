import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const figmaToken: Detector = issuedToken({
  id: 'FIGMA_TOKEN',
  title: 'Figma token',
  prefixes: ['figd_', 'figu_', 'figo_'].map((text) => ({ text, length: [38, 60] })),
  alphabet: 'azAZ09__--',
});
