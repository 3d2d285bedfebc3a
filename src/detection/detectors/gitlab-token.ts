import type { Detector } from '../detector.ts';
import { issuedToken } from './issued-token.ts';

const body = ['aB3dE6gH9j', 'K2mN5pQ8sT'].join('');

export const gitlabToken: Detector = issuedToken({
  id: 'GITLAB_TOKEN',
  title: 'GitLab token',
  prefixes: ['glpat-', 'gldt-', 'glptt-', 'glrt-'].map((text) => ({ text, length: [20, 64] })),
  alphabet: 'azAZ09__--',
  examples: {
    match: [
      `glpat-${body}`,
      { text: `PRIVATE-TOKEN: glpat-${body}`, value: `glpat-${body}` },
      `glrt-${body}`,
    ],
    not: [`glpat-${body.slice(2)}`, `glpat_${body}`, `xglpat-${body}`, `glpat-${'x'.repeat(20)}`],
  },
});
