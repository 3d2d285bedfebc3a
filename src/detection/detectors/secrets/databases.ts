import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue } from '../../families/secrets/labelled-secret.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';

/** Hosted databases and data platforms. */
export const databases: readonly Detector[] = [
  issuedToken({
    id: 'AIVEN_PASSWORD',
    title: 'Aiven service password',
    prefixes: ['AVNS_'],
    length: 19,
    alphabet: 'azAZ09__--',
  }),
  // Search keys are public and not reported.
  labelledSecret({
    id: 'ALGOLIA_KEY',
    title: 'Algolia API key',
    services: ['algolia'],
    nouns: ['admin key', 'admin api key', 'write key', 'write api key', 'api key', 'secret'],
    value: randomValue(32, '09af'),
    examples: { match: [], not: [`algolia_search_only_key: ${syntheticSecret(32, '09af')}`] },
  }),
  issuedToken({
    id: 'CONFLUENT_SECRET',
    title: 'Confluent API secret',
    prefixes: ['cflt'],
    length: 60,
    alphabet: 'azAZ09++//',
  }),
  issuedToken({
    id: 'DATABRICKS_TOKEN',
    title: 'Databricks token',
    prefixes: ['dapi'],
    length: [32, 34],
    alphabet: '09af--',
    shape: /^[0-9a-f]{32}(?:-\d)?$/,
    sample: syntheticSecret(32, '09af'),
    examples: {
      match: [`dapi${syntheticSecret(32, '09af')}-2`],
      not: ['dapi-reference-of-the-service-layer1'],
    },
  }),
  issuedToken({ id: 'NEON_KEY', title: 'Neon API key', prefixes: ['napi_'], length: 64, alphabet: 'az09' }),
  issuedToken({
    id: 'PLANETSCALE_TOKEN',
    title: 'PlanetScale token',
    prefixes: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    length: [32, 64],
    alphabet: 'azAZ09__--..==',
  }),
  issuedToken({
    id: 'PREFECT_KEY',
    title: 'Prefect API key',
    prefixes: ['pnu_', 'pnb_'],
    length: 36,
    alphabet: 'azAZ09',
  }),
  // Publishable keys (sb_publishable_) are public and not reported.
  issuedToken({
    id: 'SUPABASE_KEY',
    title: 'Supabase secret key',
    prefixes: ['sbp_', { text: 'sb_secret_', length: [28, 50], alphabet: 'azAZ09__--' }],
    length: 40,
    alphabet: '09af',
    examples: { match: [], not: [`sb_publishable_${syntheticSecret(31, 'azAZ09')}`] },
  }),
];
