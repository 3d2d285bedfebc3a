import type { Detector } from '../../detector.ts';
import { issuedToken, MIXED } from '../../families/secrets/issued-token.ts';
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
    id: 'ASTRA_DB_TOKEN',
    title: 'DataStax Astra token',
    prefixes: ['AstraCS:'],
    length: 89,
    alphabet: 'azAZ09::',
    shape: /^[0-9A-Za-z]{24}:[0-9a-f]{64}$/,
    sample: `${syntheticSecret(24, 'azAZ')}:${syntheticSecret(64, '09af')}`,
  }),
  issuedToken({
    id: 'CLICKHOUSE_CLOUD_SECRET',
    title: 'ClickHouse Cloud key secret',
    prefixes: ['4b1d'],
    length: 38,
    alphabet: 'azAZ09',
    shape: MIXED,
  }),
  issuedToken({
    id: 'COCKROACH_CLOUD_KEY',
    title: 'CockroachDB Cloud API key',
    prefixes: ['CCDB1_'],
    length: 63,
    alphabet: 'azAZ09__',
    shape: /^[0-9A-Za-z]{22}_[0-9A-Za-z]{40}$/,
    sample: `${syntheticSecret(22, 'azAZ09')}_${syntheticSecret(40, 'azAZ09')}`,
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
  issuedToken({
    id: 'ELASTIC_CLOUD_KEY',
    title: 'Elastic Cloud API key',
    prefixes: ['essu_'],
    length: [60, 200],
    alphabet: 'azAZ09__--',
    padded: true,
  }),
  issuedToken({
    id: 'MONGODB_ATLAS_SECRET',
    title: 'MongoDB Atlas service account secret',
    prefixes: ['mdb_sa_sk_'],
    length: 40,
    alphabet: 'azAZ09__--',
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
  issuedToken({ id: 'XATA_KEY', title: 'Xata API key', prefixes: ['xau_'], length: 33, alphabet: 'azAZ09' }),
];
