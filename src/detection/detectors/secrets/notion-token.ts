import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const notionToken: Detector = issuedToken({
  id: 'NOTION_TOKEN',
  title: 'Notion token',
  prefixes: [
    { text: 'ntn_', length: [46, 46] },
    { text: 'secret_', length: [43, 43] },
  ],
  alphabet: 'azAZ09',
});
