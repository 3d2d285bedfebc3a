import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const githubFineGrainedToken: Detector = issuedToken({
  id: 'GITHUB_FINE_GRAINED_TOKEN',
  title: 'GitHub fine-grained token',
  prefixes: [{ text: 'github_pat_', length: [82, 82] }],
  alphabet: 'azAZ09__',
  shape: /^[A-Za-z0-9]{22}_[A-Za-z0-9]{59}$/,
  sample: `${syntheticSecret(22, 'AZ09')}_${syntheticSecret(59, 'azAZ09')}`,
});
