import { base62Sum, base62SumChecks } from '../../checks/token-checksum.ts';
import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

const random = syntheticSecret(30, 'azAZ09');

/** Made like those of GitHub: thirty random characters and six of checksum. */
export const npmToken: Detector = issuedToken({
  id: 'NPM_TOKEN',
  title: 'npm token',
  prefixes: [{ text: 'npm_', length: [36, 36] }],
  alphabet: 'azAZ09',
  checksum: base62SumChecks,
  sample: random + base62Sum(random),
  examples: {
    match: [
      {
        text: `//packages.acme.example/:_authToken=npm_${random}${base62Sum(random)}`,
        value: `npm_${random}${base62Sum(random)}`,
      },
      // A wrong checksum is reported too, with less confidence.
      `npm_${random}ZZZZZ7`,
    ],
    not: ['npm_config_registry_of_all_the_packages1'],
  },
});
