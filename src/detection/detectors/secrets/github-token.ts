import { base62Sum, base62SumChecks } from '../../checks/token-checksum.ts';
import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

const random = syntheticSecret(30, 'azAZ09');
const proven = random + base62Sum(random);
const CLASSIC = 36;

/** Thirty random characters and six of checksum; those of apps may be longer and have none. */
export const githubToken: Detector = issuedToken({
  id: 'GITHUB_TOKEN',
  title: 'GitHub token',
  prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((text) => ({ text, length: [CLASSIC, 255] })),
  alphabet: 'azAZ09__',
  checksum: (body) => (body.length === CLASSIC ? base62SumChecks(body) : null),
  sample: proven,
  examples: {
    match: [
      { text: `token: gho_${proven}"`, value: `gho_${proven}` },
      // A wrong checksum is reported too, with less confidence.
      `ghp_${random}ZZZZZ7`,
    ],
    not: [`ghx_${proven}`],
  },
});
