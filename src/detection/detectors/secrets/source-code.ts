import { base36Sum, base36SumChecks, base62Sum, base62SumChecks } from '../../checks/token-checksum.ts';
import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue, uuidValue } from '../../families/secrets/labelled-secret.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';

const githubBody = syntheticSecret(30, 'azAZ09');
const githubChecked = githubBody + base62Sum(githubBody);
const GITHUB_LENGTH = 36;
/** Newer ones contain routing data: a payload, a dot, its length and a checksum of everything. */
const GITLAB_ROUTABLE = /^[A-Za-z0-9_-]{27,300}\.(?:[0-9a-z]{2}\.)?[0-9a-z]{9}$/;
const gitlabBody = `glpat-${syntheticSecret(51, 'azAZ09__--')}.1f`;
const gitlabRoutable = gitlabBody + base36Sum(gitlabBody);

/** Hosting, building and analysis of source code. */
export const sourceCode: readonly Detector[] = [
  issuedToken({
    id: 'ATLASSIAN_TOKEN',
    title: 'Atlassian API token',
    prefixes: ['ATATT3'],
    length: [150, 240],
    alphabet: 'azAZ09__--==',
  }),
  // Access tokens of repositories and workspaces, and the app passwords of people.
  issuedToken({
    id: 'BITBUCKET_TOKEN',
    title: 'Bitbucket token',
    prefixes: [
      { text: 'ATCTT3xFfG', length: [100, 250] },
      { text: 'ATBB', alphabet: 'azAZ09' },
    ],
    length: 32,
    alphabet: 'azAZ09__--==',
  }),
  issuedToken({
    id: 'BUILDKITE_TOKEN',
    title: 'Buildkite token',
    prefixes: ['bkua_'],
    length: 40,
    alphabet: '09af',
  }),
  issuedToken({
    id: 'CIRCLECI_TOKEN',
    title: 'CircleCI token',
    prefixes: ['CCIPAT_', 'CCIPRJ_'],
    length: 63,
    alphabet: 'azAZ09__',
    shape: /^[A-Za-z0-9]{22}_[0-9a-f]{40}$/,
    sample: `${syntheticSecret(22, 'azAZ09')}_${syntheticSecret(40, '09af')}`,
    examples: { match: [`CCIPRJ_${syntheticSecret(22, 'azAZ09')}_${syntheticSecret(40, '09af')}`], not: [] },
  }),
  labelledSecret({
    id: 'CODECOV_TOKEN',
    title: 'Codecov upload token',
    risk: 6,
    services: ['codecov'],
    nouns: ['token'],
    value: uuidValue(),
  }),
  labelledSecret({
    id: 'GITEA_TOKEN',
    title: 'Gitea or Forgejo token',
    services: ['gitea', 'forgejo', 'codeberg'],
    nouns: ['token'],
    short: true,
    value: randomValue(40, '09af'),
  }),
  issuedToken({
    id: 'GITHUB_FINE_GRAINED_TOKEN',
    title: 'GitHub fine-grained token',
    prefixes: ['github_pat_'],
    length: 82,
    alphabet: 'azAZ09__',
    shape: /^[A-Za-z0-9]{22}_[A-Za-z0-9]{59}$/,
    sample: `${syntheticSecret(22, 'AZ09')}_${syntheticSecret(59, 'azAZ09')}`,
  }),
  // Thirty githubBody characters and six of checksum; those of apps may be longer and have none.
  issuedToken({
    id: 'GITHUB_TOKEN',
    title: 'GitHub token',
    prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    length: [GITHUB_LENGTH, 255],
    alphabet: 'azAZ09__',
    checksum: (body) => (body.length === GITHUB_LENGTH ? base62SumChecks(body) : null),
    sample: githubChecked,
    examples: {
      match: [
        { text: `token: gho_${githubChecked}"`, value: `gho_${githubChecked}` },
        // A wrong checksum is reported too, with less confidence.
        `ghp_${githubBody}ZZZZZ7`,
      ],
      not: [`ghx_${githubChecked}`],
    },
  }),
  issuedToken({
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
    ],
    length: [20, 320],
    alphabet: 'azAZ09__--..',
    shape: /^(?:[A-Za-z0-9_-]{20,70}|[A-Za-z0-9_-]{27,300}\.(?:[0-9a-z]{2}\.)?[0-9a-z]{9})$/,
    checksum: (body, prefix) => (GITLAB_ROUTABLE.test(body) ? base36SumChecks(prefix + body) : null),
    sample: syntheticSecret(20, 'azAZ09__--'),
    examples: {
      match: [
        { text: `PRIVATE-TOKEN: ${gitlabRoutable}`, value: gitlabRoutable },
        { text: `curl -H "PRIVATE-TOKEN: ${gitlabRoutable}"`, value: gitlabRoutable },
        `glrt-${syntheticSecret(20, 'azAZ09')}`,
      ],
      not: [`glpat_${syntheticSecret(20, 'azAZ09')}`, `glpat-${'a'.repeat(20)}`],
    },
  }),
  issuedToken({
    id: 'HARNESS_TOKEN',
    title: 'Harness token',
    prefixes: ['pat.', 'sat.'],
    length: 68,
    alphabet: 'azAZ09__--..',
    shape: /^[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}$/,
    sample: [syntheticSecret(22, 'azAZ09'), syntheticSecret(24, '09af'), syntheticSecret(20, 'azAZ09')].join(
      '.',
    ),
  }),
  labelledSecret({
    id: 'JENKINS_TOKEN',
    title: 'Jenkins API token',
    services: ['jenkins'],
    nouns: ['token', 'password', 'api key'],
    value: {
      form: /^(?:11[0-9a-f]{32}|[0-9a-f]{32})$/,
      letters: 16,
      sample: `11${syntheticSecret(32, '09af')}`,
    },
  }),
  issuedToken({
    id: 'OCTOPUS_KEY',
    title: 'Octopus Deploy API key',
    prefixes: ['API-'],
    length: [25, 32],
    alphabet: 'AZ09',
  }),
  labelledSecret({
    id: 'SNYK_TOKEN',
    title: 'Snyk token',
    services: ['snyk'],
    nouns: ['token'],
    short: true,
    value: uuidValue(),
  }),
  issuedToken({
    id: 'SONAR_TOKEN',
    title: 'SonarQube token',
    prefixes: ['squ_', 'sqp_', 'sqa_'],
    length: 40,
    alphabet: '09af',
  }),
  issuedToken({
    id: 'SOURCEGRAPH_TOKEN',
    title: 'Sourcegraph token',
    prefixes: ['sgp_'],
    length: [40, 62],
    alphabet: 'azAZ09__',
    shape: /^(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}$/,
    sample: `${syntheticSecret(16, '09af')}_${syntheticSecret(40, '09af')}`,
    examples: { match: [`sgp_local_${syntheticSecret(40, '09af')}`], not: [] },
  }),
  labelledSecret({
    id: 'TRAVIS_TOKEN',
    title: 'Travis CI token',
    services: ['travis'],
    nouns: ['token'],
    value: { form: /^[A-Za-z0-9_-]{22}$/, letters: 62, sample: syntheticSecret(22, 'azAZ09') },
  }),
];
