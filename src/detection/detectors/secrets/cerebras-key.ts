import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const cerebrasKey: Detector = issuedToken({
  id: 'CEREBRAS_KEY',
  title: 'Cerebras API key',
  prefixes: [{ text: 'csk-', length: [48, 48] }],
  alphabet: 'az09',
});
