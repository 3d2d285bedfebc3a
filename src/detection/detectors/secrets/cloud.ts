import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue } from '../../families/secrets/labelled-secret.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';

/** Cloud providers, except Azure. */
export const cloud: readonly Detector[] = [
  issuedToken({
    id: 'ALIBABA_ACCESS_KEY',
    title: 'Alibaba Cloud access key id',
    risk: 8,
    prefixes: ['LTAI'],
    length: [12, 20],
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'AWS_BEDROCK_KEY',
    title: 'Amazon Bedrock API key',
    prefixes: ['ABSKQmVkcm9ja0FQSUtleS', { text: 'bedrock-api-key-', length: [100, 3000] }],
    length: [80, 260],
    alphabet: 'azAZ09++//',
    padded: true,
  }),
  // Temporary, but valid for hours. Its first bytes are “origin” or “er/aws” in base64.
  issuedToken({
    id: 'AWS_SESSION_TOKEN',
    title: 'AWS session token',
    prefixes: ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz', 'FQoGZXIvYXdz'],
    length: [150, 2000],
    alphabet: 'azAZ09++//',
    padded: true,
  }),
  labelledSecret({
    id: 'CLOUDFLARE_API_KEY',
    title: 'Cloudflare API key without a prefix',
    services: ['cloudflare'],
    value: { form: /^(?:[0-9a-f]{37}|[A-Za-z0-9_-]{40})$/, letters: 16, sample: syntheticSecret(37, '09af') },
    examples: {
      match: [
        {
          text: `CLOUDFLARE_API_TOKEN=${syntheticSecret(40, 'azAZ09')}`,
          value: syntheticSecret(40, 'azAZ09'),
        },
      ],
      not: [],
    },
  }),
  // Forty characters and a checksum of eight, whose making is not published. Older tokens have no prefix.
  issuedToken({
    id: 'CLOUDFLARE_TOKEN',
    title: 'Cloudflare token',
    prefixes: ['cfut_', 'cfat_', 'cfk_'],
    length: 48,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'DIGITALOCEAN_TOKEN',
    title: 'DigitalOcean token',
    prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    length: 64,
    alphabet: '09af',
  }),
  labelledSecret({
    id: 'FASTLY_TOKEN',
    title: 'Fastly token',
    services: ['fastly'],
    nouns: ['token', 'api key'],
    value: { form: /^[A-Za-z0-9_-]{32}$/, letters: 64, sample: syntheticSecret(32, 'azAZ09') },
  }),
  labelledSecret({
    id: 'FIREBASE_KEY',
    title: 'Firebase server key',
    services: ['firebase', 'fcm_server', 'fcm_api', 'gcm_api'],
    nouns: ['key', 'token'],
    value: {
      form: /^AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{130,145}$/,
      letters: 64,
      sample: `AAAA${syntheticSecret(7, 'azAZ09')}:APA91b${syntheticSecret(130, 'azAZ09')}`,
    },
  }),
  issuedToken({
    id: 'GOOGLE_API_KEY',
    title: 'Google API key',
    prefixes: ['AIza', { text: 'AQ.Ab8RN6', length: [40, 60] }],
    length: 35,
    alphabet: 'azAZ09__--',
  }),
  issuedToken({
    id: 'GOOGLE_OAUTH_SECRET',
    title: 'Google OAuth client secret',
    prefixes: ['GOCSPX-'],
    length: 28,
    alphabet: 'azAZ09__--',
  }),
  // Access tokens, and the refresh tokens that outlive them.
  issuedToken({
    id: 'GOOGLE_OAUTH_TOKEN',
    title: 'Google OAuth token',
    prefixes: ['ya29.', { text: '1//0', length: [40, 120], alphabet: 'azAZ09__--' }],
    length: [30, 1500],
    alphabet: 'azAZ09__--..',
  }),
  labelledSecret({
    id: 'HETZNER_TOKEN',
    title: 'Hetzner Cloud token',
    services: ['hetzner', 'hcloud'],
    nouns: ['token', 'api key'],
    value: randomValue(64, 'azAZ09'),
  }),
  labelledSecret({
    id: 'IBM_CLOUD_KEY',
    title: 'IBM Cloud API key',
    services: ['ibm_cloud', 'ibmcloud', 'bluemix', 'ic_api'],
    nouns: ['api key'],
    value: { form: /^[A-Za-z0-9_-]{44}$/, letters: 64, sample: syntheticSecret(44, 'azAZ09') },
  }),
  labelledSecret({
    id: 'LINODE_TOKEN',
    title: 'Linode token',
    services: ['linode'],
    nouns: ['token', 'api key'],
    value: randomValue(64, '09af'),
  }),
  issuedToken({
    id: 'SCALEWAY_ACCESS_KEY',
    title: 'Scaleway access key',
    risk: 7,
    prefixes: ['SCW'],
    length: 17,
    alphabet: 'AZ09',
  }),
  issuedToken({
    id: 'TENCENT_CLOUD_KEY',
    title: 'Tencent Cloud secret id',
    risk: 8,
    prefixes: ['AKID'],
    length: 32,
    alphabet: 'azAZ09',
  }),
  labelledSecret({
    id: 'VULTR_KEY',
    title: 'Vultr API key',
    services: ['vultr'],
    nouns: ['api key'],
    short: true,
    value: randomValue(36, 'AZ09'),
  }),
  issuedToken({
    id: 'YANDEX_CLOUD_KEY',
    title: 'Yandex Cloud API key',
    prefixes: ['AQVN'],
    length: [35, 38],
    alphabet: 'azAZ09__--',
  }),
];
