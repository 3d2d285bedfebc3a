import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const dockerSwarmToken: Detector = issuedToken({
  id: 'DOCKER_SWARM_TOKEN',
  title: 'Docker swarm token',
  prefixes: [
    { text: 'SWMTKN-1-', length: [76, 76], alphabet: 'az09--' },
    { text: 'SWMKEY-1-', length: [43, 43] },
  ],
  alphabet: 'azAZ09++//',
  sample: `${syntheticSecret(50, 'az09')}-${syntheticSecret(25, 'az09')}`,
  examples: { match: [`SWMKEY-1-${syntheticSecret(43, 'azAZ09')}`], not: [] },
});
