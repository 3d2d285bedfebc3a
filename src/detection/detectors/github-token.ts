import type { Detector } from '../detector.ts';
import { issuedToken } from './issued-token.ts';

const body = ['aB3dE6gH9jK2', 'mN5pQ8sT1vW4', 'yZ7bC0dF3gH6'].join('');
const long = `11ABCDE2Y0${['abcDEFghi', 'JK'].join('')}_${body}${body.slice(0, 23)}`;

export const githubToken: Detector = issuedToken({
  id: 'GITHUB_TOKEN',
  title: 'GitHub token',
  prefixes: [
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((text) => ({ text, length: [36, 255] }) as const),
    { text: 'github_pat_', length: [60, 255] },
  ],
  alphabet: 'azAZ09__',
  examples: {
    match: [`ghp_${body}`, { text: `token: gho_${body}"`, value: `gho_${body}` }, `github_pat_${long}`],
    not: [`ghp_${body.slice(0, 30)}`, `ghx_${body}`, `ghp_${'x'.repeat(36)}`, `aghp_${body}`],
  },
});
