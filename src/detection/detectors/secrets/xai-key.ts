import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const xaiKey: Detector = issuedToken({
  id: 'XAI_KEY',
  title: 'xAI API key',
  prefixes: [{ text: 'xai-', length: [80, 80] }],
  alphabet: 'azAZ09',
});
