import { base36Sum, base36SumChecks } from '../../checks/token-checksum.ts';
import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** Newer ones contain routing data: a payload, a dot, its length and a checksum of everything. */
const ROUTABLE = /^[A-Za-z0-9_-]{27,300}\.(?:[0-9a-z]{2}\.)?[0-9a-z]{9}$/;
const before = `glpat-${syntheticSecret(51, 'azAZ09__--')}.1f`;
const routable = before + base36Sum(before);

export const gitlabToken: Detector = issuedToken({
  id: 'GITLAB_TOKEN',
  title: 'GitLab token',
  prefixes: [
    'glpat-',
    'gldt-',
    'glptt-',
    'glrt-',
    'glrtr-',
    'glcbt-',
    'glimt-',
    'glft-',
    'glsoat-',
    'glagent-',
    'gloas-',
    'glffct-',
    'glwt-',
  ].map((text) => ({ text, length: [20, 320] })),
  alphabet: 'azAZ09__--..',
  shape: /^(?:[A-Za-z0-9_-]{20,70}|[A-Za-z0-9_-]{27,300}\.(?:[0-9a-z]{2}\.)?[0-9a-z]{9})$/,
  checksum: (body, prefix) => (ROUTABLE.test(body) ? base36SumChecks(prefix + body) : null),
  sample: syntheticSecret(20, 'azAZ09__--'),
  examples: {
    match: [
      { text: `PRIVATE-TOKEN: ${routable}`, value: routable },
      { text: `curl -H "PRIVATE-TOKEN: ${routable}"`, value: routable },
      `glrt-${syntheticSecret(20, 'azAZ09')}`,
    ],
    not: [`glpat_${syntheticSecret(20, 'azAZ09')}`, `glpat-${'a'.repeat(20)}`],
  },
});
