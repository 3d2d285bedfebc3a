import type { Detector } from '../../detector.ts';
import { issuedToken, MIXED } from '../../families/secrets/issued-token.ts';
import { labelledSecret } from '../../families/secrets/labelled-secret.ts';
import { markedKey } from '../../families/secrets/marked-key.ts';
import { syntheticSecret, syntheticUuid } from '../../families/secrets/synthetic-secret.ts';

/** Secret stores, provisioning, networks and feature flags. */
export const infrastructure: readonly Detector[] = [
  issuedToken({
    id: 'DEFINED_NETWORKING_KEY',
    title: 'Defined Networking API key',
    prefixes: ['dnkey-'],
    length: 79,
    alphabet: 'azAZ09==__--',
    shape: /^[\w=-]{26}-[\w=-]{52}$/,
    sample: `${syntheticSecret(26, 'AZ09')}-${syntheticSecret(52, 'AZ09')}`,
  }),
  issuedToken({
    id: 'DOPPLER_TOKEN',
    title: 'Doppler token',
    prefixes: [{ text: 'dp.st.', length: [40, 80] }, 'dp.pt.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    length: [40, 44],
    alphabet: 'azAZ09..__--',
    shape: /^(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}$/,
    sample: `production.${syntheticSecret(43, 'azAZ09')}`,
    examples: {
      match: [`dp.pt.${syntheticSecret(43, 'azAZ09')}`, `dp.scim.${syntheticSecret(40, 'azAZ09')}`],
      not: [],
    },
  }),
  issuedToken({
    id: 'INFISICAL_TOKEN',
    title: 'Infisical service token',
    prefixes: ['st.'],
    length: [50, 164],
    alphabet: 'azAZ09..__--',
    shape: /^[\w-]{12,48}\.[\w-]{12,48}\.[0-9a-f]{16,64}$/,
    sample: `${syntheticSecret(24, '09af')}.${syntheticSecret(32, '09af')}.${syntheticSecret(32, '09af')}`,
  }),
  issuedToken({
    id: 'INFRACOST_KEY',
    title: 'Infracost API key',
    prefixes: ['ico-'],
    length: 32,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'INNGEST_KEY',
    title: 'Inngest signing key',
    prefixes: ['signkey-prod-', 'signkey-test-', 'signkey-staging-', 'signkey-branch-'],
    length: 64,
    alphabet: '09af',
  }),
  // Client ids and mobile keys (mob-) are shipped to users and not reported.
  issuedToken({
    id: 'LAUNCHDARKLY_KEY',
    title: 'LaunchDarkly key',
    prefixes: ['sdk-', 'api-'],
    length: 36,
    alphabet: '09af--',
    shape: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    sample: syntheticUuid(),
  }),
  issuedToken({
    id: 'NIGHTFALL_KEY',
    title: 'Nightfall API key',
    prefixes: ['NF-'],
    length: 32,
    alphabet: 'azAZ09',
    shape: MIXED,
  }),
  issuedToken({
    id: 'ONEPASSWORD_SECRET_KEY',
    title: '1Password secret key',
    prefixes: ['A3-'],
    length: [34, 37],
    alphabet: 'AZ09--',
    shape: /^[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}$/,
    sample: [
      syntheticSecret(6, 'AZ09'),
      syntheticSecret(6, 'AZ29'),
      ...[5, 5, 5, 5].map((n, i) => syntheticSecret(n + i, 'AZ29').slice(0, n)),
    ].join('-'),
  }),
  // What follows is JSON in base64, the account’s keys among it.
  issuedToken({
    id: 'ONEPASSWORD_TOKEN',
    title: '1Password service account token',
    prefixes: ['ops_eyJ'],
    length: [240, 2500],
    alphabet: 'azAZ09__--',
    padded: true,
  }),
  issuedToken({
    id: 'ORY_TOKEN',
    title: 'Ory access token',
    prefixes: ['ory_pat_'],
    length: 32,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'PULUMI_TOKEN',
    title: 'Pulumi access token',
    prefixes: ['pul-'],
    length: 40,
    alphabet: '09af',
  }),
  issuedToken({
    id: 'SETTLEMINT_TOKEN',
    title: 'SettleMint token',
    prefixes: ['sm_pat_', 'sm_aat_', 'sm_sat_'],
    length: 16,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'STYTCH_SECRET',
    title: 'Stytch secret',
    prefixes: ['secret-live-', 'secret-test-'],
    length: 35,
    alphabet: 'azAZ09__--',
    padded: true,
  }),
  issuedToken({
    id: 'TAILSCALE_KEY',
    title: 'Tailscale key',
    prefixes: ['tskey-auth-', 'tskey-api-', 'tskey-client-', 'tskey-scim-', 'tskey-webhook-'],
    length: [20, 70],
    alphabet: 'azAZ09--',
  }),
  markedKey({
    id: 'TERRAFORM_TOKEN',
    title: 'Terraform Cloud token',
    prefilter: String.raw`\.atlasv1\.`,
    marks: ['.atlasv1.'],
    before: { alphabet: 'azAZ09', length: 14 },
    after: { alphabet: 'azAZ09__--', length: [60, 70] },
  }),
  labelledSecret({
    id: 'VAULT_LEGACY_TOKEN',
    title: 'Vault token without a prefix',
    services: ['vault'],
    nouns: ['token'],
    short: true,
    value: { form: /^s\.[A-Za-z0-9]{24}$/, letters: 62, sample: `s.${syntheticSecret(24, 'azAZ09')}` },
  }),
  // Service, batch and recovery tokens of Vault 1.10 and later.
  issuedToken({
    id: 'VAULT_TOKEN',
    title: 'HashiCorp Vault token',
    prefixes: [{ text: 'hvs.', length: [24, 300] }, 'hvb.', 'hvr.'],
    length: [100, 400],
    alphabet: 'azAZ09__--',
  }),
];
