import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

/** Access tokens of repositories and workspaces, and the app passwords of people. */
export const bitbucketToken: Detector = issuedToken({
  id: 'BITBUCKET_TOKEN',
  title: 'Bitbucket token',
  prefixes: [
    { text: 'ATCTT3xFfG', length: [100, 250] },
    { text: 'ATBB', length: [32, 32], alphabet: 'azAZ09' },
  ],
  alphabet: 'azAZ09__--==',
});
