import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue } from '../../families/secrets/labelled-secret.ts';
import { secretUrl } from '../../families/secrets/secret-url.ts';
import { syntheticSecret, syntheticUuid } from '../../families/secrets/synthetic-secret.ts';

/** Office, design, customer and automation services. */
export const business: readonly Detector[] = [
  issuedToken({
    id: 'AIRTABLE_TOKEN',
    title: 'Airtable token',
    prefixes: ['pat'],
    length: 79,
    alphabet: 'azAZ09..',
    shape: /^[A-Za-z0-9]{14}\.[0-9a-f]{64}$/,
    sample: `${syntheticSecret(14, 'azAZ09')}.${syntheticSecret(64, '09af')}`,
  }),
  labelledSecret({
    id: 'ASANA_TOKEN',
    title: 'Asana access token',
    services: ['asana'],
    nouns: ['access token', 'pat', 'token'],
    value: {
      form: /^(?:[12]\/\d{16}(?:\/\d{16})?:[0-9a-f]{32}|0\/[0-9a-f]{32})$/,
      letters: 16,
      sample: `1/${syntheticSecret(16, '19')}:${syntheticSecret(32, '09af')}`,
    },
  }),
  issuedToken({
    id: 'CLICKUP_TOKEN',
    title: 'ClickUp token',
    prefixes: ['pk_'],
    length: [38, 43],
    alphabet: 'AZ09__',
    shape: /^\d{5,10}_[A-Z0-9]{32}$/,
    sample: `${syntheticSecret(8, '19')}_${syntheticSecret(32, 'AZ09')}`,
  }),
  issuedToken({
    id: 'CONTENTFUL_TOKEN',
    title: 'Contentful management token',
    prefixes: ['CFPAT-'],
    length: 43,
    alphabet: 'azAZ09__--',
  }),
  issuedToken({
    id: 'DROPBOX_TOKEN',
    title: 'Dropbox token',
    prefixes: ['sl.'],
    length: [130, 1500],
    alphabet: 'azAZ09__--..',
  }),
  issuedToken({
    id: 'FIGMA_TOKEN',
    title: 'Figma token',
    prefixes: ['figd_', 'figu_', 'figo_'],
    length: [38, 60],
    alphabet: 'azAZ09__--',
  }),
  issuedToken({
    id: 'FRAME_IO_TOKEN',
    title: 'Frame.io token',
    prefixes: ['fio-u-'],
    length: 64,
    alphabet: 'azAZ09__--',
  }),
  issuedToken({
    id: 'HUBSPOT_TOKEN',
    title: 'HubSpot private app token',
    prefixes: ['pat-na1-', 'pat-na2-', 'pat-na3-', 'pat-eu1-', 'pat-ap1-'],
    length: 36,
    alphabet: '09af--',
    shape: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    sample: syntheticUuid(),
  }),
  issuedToken({
    id: 'LINEAR_KEY',
    title: 'Linear key',
    prefixes: ['lin_api_', { text: 'lin_oauth_', length: 64, alphabet: '09af' }],
    length: 40,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'NOTION_TOKEN',
    title: 'Notion token',
    prefixes: [{ text: 'ntn_', length: 46 }, 'secret_'],
    length: 43,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'TRELLO_TOKEN',
    title: 'Trello token',
    prefixes: ['ATTA'],
    length: [64, 80],
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'TYPEFORM_TOKEN',
    title: 'Typeform token',
    prefixes: ['tfp_'],
    length: [40, 60],
    alphabet: 'azAZ09__--',
  }),
  secretUrl({
    id: 'ZAPIER_WEBHOOK',
    title: 'Zapier webhook address',
    risk: 5,
    parts: ['hooks/catch/'],
    before: /hooks\.zapier\.com\/$/,
    after: /^\d{5,12}\/([a-z0-9]{6,16})/,
    sample: ['hooks.zapier.com/', '73019482/b3k9x2q'],
  }),
  labelledSecret({
    id: 'ZENDESK_TOKEN',
    title: 'Zendesk API token',
    services: ['zendesk'],
    value: randomValue(40, 'azAZ09'),
  }),
];
