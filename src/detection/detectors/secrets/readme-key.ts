import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const readmeKey: Detector = issuedToken({
  id: 'README_KEY',
  title: 'ReadMe API key',
  prefixes: [{ text: 'rdme_', length: [70, 70] }],
  alphabet: 'az09',
});
