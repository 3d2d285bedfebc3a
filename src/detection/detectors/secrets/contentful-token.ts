import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const contentfulToken: Detector = issuedToken({
  id: 'CONTENTFUL_TOKEN',
  title: 'Contentful management token',
  prefixes: [{ text: 'CFPAT-', length: [43, 43] }],
  alphabet: 'azAZ09__--',
});
