import { base62Sum, base62SumChecks } from '../../checks/token-checksum.ts';
import type { Detector } from '../../detector.ts';
import { issuedToken, UUID } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue } from '../../families/secrets/labelled-secret.ts';
import { syntheticSecret, syntheticUuid } from '../../families/secrets/synthetic-secret.ts';

const npmBody = syntheticSecret(30, 'azAZ09');

/** Registries of packages and images. */
export const packages: readonly Detector[] = [
  issuedToken({
    id: 'CLOJARS_TOKEN',
    title: 'Clojars deploy token',
    prefixes: ['CLOJARS_'],
    length: 60,
    alphabet: 'az09',
  }),
  issuedToken({
    id: 'CRATES_IO_TOKEN',
    title: 'crates.io token',
    prefixes: ['cio'],
    length: 32,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'DOCKER_SWARM_TOKEN',
    title: 'Docker swarm token',
    prefixes: [{ text: 'SWMTKN-1-', length: 76, alphabet: 'az09--' }, 'SWMKEY-1-'],
    length: 43,
    alphabet: 'azAZ09++//',
    sample: `${syntheticSecret(50, 'az09')}-${syntheticSecret(25, 'az09')}`,
    examples: { match: [`SWMKEY-1-${syntheticSecret(43, 'azAZ09')}`], not: [] },
  }),
  issuedToken({
    id: 'DOCKER_TOKEN',
    title: 'Docker Hub access token',
    prefixes: ['dckr_pat_', { text: 'dckr_oat_', length: 32 }],
    length: 27,
    alphabet: 'azAZ09__--',
  }),
  labelledSecret({
    id: 'HEX_PM_KEY',
    title: 'Hex.pm API key',
    services: ['hex_api', 'hexpm', 'hex_organization', 'hex_publish'],
    nouns: ['key'],
    short: true,
    value: randomValue(32, '09af'),
  }),
  // API keys, and reference tokens, which begin with “reftkn:01” in base64.
  issuedToken({
    id: 'JFROG_TOKEN',
    title: 'JFrog token',
    prefixes: ['AKCp', { text: 'cmVmdGtuOjAx', length: [52, 64] }],
    length: 69,
    alphabet: 'azAZ09',
  }),
  // Made like those of GitHub: thirty npmBody characters and six of checksum.
  issuedToken({
    id: 'NPM_TOKEN',
    title: 'npm token',
    prefixes: ['npm_'],
    length: 36,
    alphabet: 'azAZ09',
    checksum: base62SumChecks,
    sample: npmBody + base62Sum(npmBody),
    examples: {
      match: [
        {
          text: `//packages.acme.example/:_authToken=npm_${npmBody}${base62Sum(npmBody)}`,
          value: `npm_${npmBody}${base62Sum(npmBody)}`,
        },
        // A wrong checksum is reported too, with less confidence.
        `npm_${npmBody}ZZZZZ7`,
      ],
      not: ['npm_config_registry_of_all_the_packages1'],
    },
  }),
  issuedToken({ id: 'NUGET_KEY', title: 'NuGet API key', prefixes: ['oy2'], length: 43, alphabet: 'az09' }),
  issuedToken({
    id: 'OPEN_VSX_TOKEN',
    title: 'Open VSX token',
    prefixes: ['ovsxat_'],
    length: 36,
    alphabet: '09af--',
    shape: UUID,
    sample: syntheticUuid(),
  }),
  issuedToken({
    id: 'PACKAGIST_TOKEN',
    title: 'Packagist token',
    prefixes: ['packagist_'],
    length: 72,
    alphabet: 'az09__',
    shape: /^[ou][a-z]{2}_[0-9a-f]{68}$/,
    sample: `out_${syntheticSecret(68, '09af')}`,
  }),
  // A macaroon in base64, which begins with its location.
  issuedToken({
    id: 'PYPI_TOKEN',
    title: 'PyPI token',
    prefixes: ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'],
    length: [50, 1000],
    alphabet: 'azAZ09__--',
  }),
  issuedToken({
    id: 'RUBYGEMS_KEY',
    title: 'RubyGems API key',
    prefixes: ['rubygems_'],
    length: 48,
    alphabet: '09af',
  }),
  // The name is of the host, as Bundler writes it: BUNDLE_GEMS__CONTRIBSYS__COM.
  labelledSecret({
    id: 'SIDEKIQ_CREDENTIALS',
    title: 'Credentials of Sidekiq’s package server',
    services: ['contribsys'],
    nouns: ['com'],
    value: {
      form: /^[0-9a-f]{8}:[0-9a-f]{8}$/,
      letters: 16,
      sample: `${syntheticSecret(8, '09af')}:${syntheticSecret(8, '09cf')}`,
    },
  }),
];
