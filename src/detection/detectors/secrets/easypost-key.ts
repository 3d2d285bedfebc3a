import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const easypostKey: Detector = issuedToken({
  id: 'EASYPOST_KEY',
  title: 'EasyPost API key',
  prefixes: [
    { text: 'EZAK', length: [54, 54] },
    { text: 'EZTK', length: [54, 54] },
  ],
  alphabet: 'azAZ09',
});
