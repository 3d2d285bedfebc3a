import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const klaviyoKey: Detector = issuedToken({
  id: 'KLAVIYO_KEY',
  title: 'Klaviyo private key',
  prefixes: [{ text: 'pk_', length: [34, 34] }],
  alphabet: '09af',
});
