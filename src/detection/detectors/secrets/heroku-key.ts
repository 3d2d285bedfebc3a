import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const herokuKey: Detector = issuedToken({
  id: 'HEROKU_KEY',
  title: 'Heroku API key',
  prefixes: [{ text: 'HRKU-', length: [36, 64] }],
  alphabet: 'azAZ09__--',
});
