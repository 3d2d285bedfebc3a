import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const dockerToken: Detector = issuedToken({
  id: 'DOCKER_TOKEN',
  title: 'Docker Hub access token',
  prefixes: [
    { text: 'dckr_pat_', length: [27, 27] },
    { text: 'dckr_oat_', length: [32, 32] },
  ],
  alphabet: 'azAZ09__--',
});
