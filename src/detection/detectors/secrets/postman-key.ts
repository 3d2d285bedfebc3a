import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

export const postmanKey: Detector = issuedToken({
  id: 'POSTMAN_KEY',
  title: 'Postman API key',
  prefixes: [{ text: 'PMAK-', length: [59, 59] }],
  alphabet: '09af--',
  shape: /^[0-9a-f]{24}-[0-9a-f]{34}$/,
  sample: `${madeUp(24, '09af')}-${madeUp(34, '09af')}`,
});
