import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue, uuidValue } from '../../families/secrets/labelled-secret.ts';

/** Hosting of applications and sites. */
export const hosting: readonly Detector[] = [
  issuedToken({
    id: 'FLY_TOKEN',
    title: 'Fly.io token',
    prefixes: ['fm2_', 'fm1r_', 'fm1a_', { text: 'fo1_', length: 43, alphabet: 'azAZ09__--' }],
    length: [100, 2000],
    alphabet: 'azAZ09++//',
    padded: true,
  }),
  issuedToken({
    id: 'HEROKU_KEY',
    title: 'Heroku API key',
    prefixes: ['HRKU-'],
    length: [36, 64],
    alphabet: 'azAZ09__--',
  }),
  labelledSecret({
    id: 'HEROKU_LEGACY_KEY',
    title: 'Heroku API key without a prefix',
    services: ['heroku'],
    nouns: ['api key', 'token'],
    value: uuidValue(),
  }),
  issuedToken({
    id: 'NETLIFY_TOKEN',
    title: 'Netlify token',
    prefixes: ['nfp_'],
    length: 36,
    alphabet: 'azAZ09',
  }),
  labelledSecret({
    id: 'RAILWAY_TOKEN',
    title: 'Railway token',
    services: ['railway'],
    nouns: ['token'],
    value: uuidValue(),
  }),
  issuedToken({
    id: 'RENDER_KEY',
    title: 'Render API key',
    prefixes: ['rnd_'],
    length: [24, 40],
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'SCALINGO_TOKEN',
    title: 'Scalingo token',
    prefixes: ['tk-us-'],
    length: 48,
    alphabet: 'azAZ09__--',
  }),
  labelledSecret({
    id: 'VERCEL_LEGACY_TOKEN',
    title: 'Vercel token without a prefix',
    services: ['vercel'],
    nouns: ['token'],
    value: randomValue(24, 'azAZ09'),
  }),
  issuedToken({
    id: 'VERCEL_TOKEN',
    title: 'Vercel token',
    prefixes: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    length: [24, 80],
    alphabet: 'azAZ09',
  }),
];
