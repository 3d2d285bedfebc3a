import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const perplexityKey: Detector = issuedToken({
  id: 'PERPLEXITY_KEY',
  title: 'Perplexity API key',
  prefixes: [{ text: 'pplx-', length: [48, 56] }],
  alphabet: 'azAZ09',
});
