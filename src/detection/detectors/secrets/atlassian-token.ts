import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const atlassianToken: Detector = issuedToken({
  id: 'ATLASSIAN_TOKEN',
  title: 'Atlassian API token',
  prefixes: [{ text: 'ATATT3', length: [150, 240] }],
  alphabet: 'azAZ09__--==',
});
