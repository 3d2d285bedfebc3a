import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const togetherKey: Detector = issuedToken({
  id: 'TOGETHER_KEY',
  title: 'Together AI API key',
  prefixes: [{ text: 'tgp_v1_', length: [43, 43] }],
  alphabet: 'azAZ09__--',
});
