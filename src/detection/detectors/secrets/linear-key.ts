import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const linearKey: Detector = issuedToken({
  id: 'LINEAR_KEY',
  title: 'Linear key',
  prefixes: [
    { text: 'lin_api_', length: [40, 40] },
    { text: 'lin_oauth_', length: [64, 64], alphabet: '09af' },
  ],
  alphabet: 'azAZ09',
});
