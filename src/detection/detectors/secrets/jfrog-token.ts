import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

/** API keys, and reference tokens, which begin with “reftkn:01” in base64. */
export const jfrogToken: Detector = issuedToken({
  id: 'JFROG_TOKEN',
  title: 'JFrog token',
  prefixes: [
    { text: 'AKCp', length: [69, 69] },
    { text: 'cmVmdGtuOjAx', length: [52, 64] },
  ],
  alphabet: 'azAZ09',
});
