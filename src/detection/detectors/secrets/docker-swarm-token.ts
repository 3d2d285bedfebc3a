import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

export const dockerSwarmToken: Detector = issuedToken({
  id: 'DOCKER_SWARM_TOKEN',
  title: 'Docker swarm token',
  prefixes: [
    { text: 'SWMTKN-1-', length: [76, 76], alphabet: 'az09--' },
    { text: 'SWMKEY-1-', length: [43, 43] },
  ],
  alphabet: 'azAZ09++//',
  sample: `${madeUp(50, 'az09')}-${madeUp(25, 'az09')}`,
  examples: { match: [`SWMKEY-1-${madeUp(43, 'azAZ09')}`], not: [] },
});
