import { hexSum } from '../../checks/token-checksum.ts';
import type { Detector } from '../../detector.ts';
import { issuedToken, UUID } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue, uuidValue } from '../../families/secrets/labelled-secret.ts';
import { syntheticSecret, syntheticUuid } from '../../families/secrets/synthetic-secret.ts';

const grafanaBody = syntheticSecret(32, 'azAZ09');
const GRAFANA_SERVICE_ACCOUNT = /^[A-Za-z0-9]{32}_[0-9a-f]{8}$/;

/** Metrics, logs, errors and on-call alerts. */
export const monitoring: readonly Detector[] = [
  issuedToken({
    id: 'AXIOM_TOKEN',
    title: 'Axiom token',
    prefixes: ['xaat-', 'xapt-'],
    length: 36,
    alphabet: '09af--',
    shape: UUID,
    sample: syntheticUuid(),
  }),
  issuedToken({
    id: 'BRANCH_IO_KEY',
    title: 'Branch key',
    prefixes: ['key_live_', 'key_test_'],
    length: 32,
    alphabet: 'azAZ09',
    risk: 5,
  }),
  labelledSecret({
    id: 'DATADOG_KEY',
    title: 'Datadog key',
    services: ['datadog', 'dd'],
    nouns: ['api key', 'app key', 'application key', 'token'],
    short: true,
    value: { form: /^(?:[0-9a-f]{40}|[0-9a-f]{32})$/, letters: 16, sample: syntheticSecret(32, '09af') },
  }),
  issuedToken({
    id: 'DYNATRACE_TOKEN',
    title: 'Dynatrace token',
    prefixes: ['dt0c01.', 'dt0s01.', 'dt0s02.', 'dt0s08.', 'dt0s16.'],
    length: 89,
    alphabet: 'azAZ09..',
    shape: /^[0-9A-Za-z]{24}\.[0-9A-Za-z]{64}$/,
    sample: `${syntheticSecret(24, 'AZ27')}.${syntheticSecret(64, 'AZ27')}`,
  }),
  // Those of service accounts end in a checksum; those of Grafana Cloud are JSON in base64.
  issuedToken({
    id: 'GRAFANA_TOKEN',
    title: 'Grafana token',
    prefixes: ['glsa_', { text: 'glc_eyJ', length: [40, 400], alphabet: 'azAZ09++//==' }],
    length: 41,
    alphabet: 'azAZ09__',
    checksum: (body, prefix) =>
      GRAFANA_SERVICE_ACCOUNT.test(body) ? hexSum(prefix + body.slice(0, -9)) === body.slice(-8) : null,
    sample: `${grafanaBody}_${hexSum(`glsa_${grafanaBody}`)}`,
    examples: {
      match: [`glc_eyJ${syntheticSecret(80, 'azAZ09')}`, `glsa_${grafanaBody}_0badc0de`],
      not: [`glsb_${grafanaBody}_${hexSum(`glsa_${grafanaBody}`)}`],
    },
  }),
  issuedToken({
    id: 'HONEYCOMB_KEY',
    title: 'Honeycomb key',
    prefixes: ['hcaik_', 'hcamk_', 'hcxik_'],
    length: 58,
    alphabet: 'az09',
  }),
  issuedToken({
    id: 'NEW_RELIC_KEY',
    title: 'New Relic key',
    prefixes: [
      { text: 'NRAK-', length: 27 },
      { text: 'NRII-', alphabet: 'azAZ09__--' },
      { text: 'NRIQ-', alphabet: 'azAZ09__--' },
    ],
    length: 32,
    alphabet: 'AZ09',
  }),
  labelledSecret({
    id: 'NEW_RELIC_LICENSE',
    title: 'New Relic license key',
    risk: 7,
    services: ['new_relic', 'newrelic'],
    nouns: ['license key', 'license', 'key'],
    value: { form: /^[0-9a-zA-Z]{36}NRAL$/, letters: 16, sample: `${syntheticSecret(36, '09af')}NRAL` },
  }),
  labelledSecret({
    id: 'PAGERDUTY_KEY',
    title: 'PagerDuty key',
    services: ['pagerduty'],
    value: {
      form: /^(?:[0-9a-f]{32}|[A-Za-z0-9_+-]{20})$/,
      letters: 32,
      sample: syntheticSecret(20, 'azAZ09'),
    },
  }),
  issuedToken({
    id: 'POSTHOG_KEY',
    title: 'PostHog personal key',
    prefixes: ['phx_'],
    length: [40, 60],
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'ROOTLY_KEY',
    title: 'Rootly API key',
    prefixes: ['rootly_'],
    length: 64,
    alphabet: '09af',
  }),
  issuedToken({
    id: 'SENTRY_TOKEN',
    title: 'Sentry token',
    prefixes: [
      { text: 'sntrys_eyJ', length: [80, 400] },
      { text: 'sntryu_', alphabet: '09af' },
    ],
    length: 64,
    alphabet: 'azAZ09++//==__--',
  }),
  labelledSecret({
    id: 'SPLUNK_TOKEN',
    title: 'Splunk collector token',
    services: ['splunk'],
    nouns: ['token'],
    value: uuidValue(),
  }),
  labelledSecret({
    id: 'SUMO_LOGIC_KEY',
    title: 'Sumo Logic access key',
    services: ['sumologic', 'sumo_logic'],
    nouns: ['access key', 'key'],
    value: randomValue(64, 'azAZ09'),
  }),
  issuedToken({
    id: 'UBIDOTS_TOKEN',
    title: 'Ubidots token',
    prefixes: ['BBUS-', 'BBFF-'],
    length: [28, 40],
    alphabet: 'azAZ09',
  }),
];
