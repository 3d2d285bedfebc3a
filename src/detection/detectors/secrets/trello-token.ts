import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const trelloToken: Detector = issuedToken({
  id: 'TRELLO_TOKEN',
  title: 'Trello token',
  prefixes: [{ text: 'ATTA', length: [64, 80] }],
  alphabet: 'azAZ09',
});
