import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue } from '../../families/secrets/labelled-secret.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';

/** Social networks and identity providers. */
export const social: readonly Detector[] = [
  labelledSecret({
    id: 'AUTH0_SECRET',
    title: 'Auth0 client secret',
    services: ['auth0'],
    nouns: ['client secret'],
    value: randomValue(64, 'azAZ09__--'),
  }),
  labelledSecret({
    id: 'FACEBOOK_APP_SECRET',
    title: 'Facebook app secret',
    services: ['facebook', 'fb_app', 'fb_client', 'instagram', 'whatsapp'],
    nouns: ['secret'],
    value: randomValue(32, '09af'),
  }),
  issuedToken({
    id: 'FACEBOOK_TOKEN',
    title: 'Facebook access token',
    prefixes: ['EAA'],
    length: [100, 400],
    alphabet: 'azAZ09',
  }),
  labelledSecret({
    id: 'LINKEDIN_SECRET',
    title: 'LinkedIn client secret',
    services: ['linkedin'],
    nouns: ['secret'],
    value: {
      form: /^(?:WPL_AP1\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/]{6}==|[A-Za-z0-9]{16})$/,
      letters: 62,
      sample: syntheticSecret(16, 'azAZ09'),
    },
  }),
  labelledSecret({
    id: 'OKTA_TOKEN',
    title: 'Okta API token',
    services: ['okta'],
    nouns: ['token'],
    short: true,
    value: {
      form: /^00[A-Za-z0-9_-]{39}[A-Za-z0-9]$/,
      letters: 64,
      sample: `00${syntheticSecret(40, 'azAZ09')}`,
    },
  }),
  labelledSecret({
    id: 'TWITCH_SECRET',
    title: 'Twitch secret or token',
    services: ['twitch'],
    nouns: ['secret', 'token'],
    value: randomValue(30, 'az09'),
  }),
  issuedToken({
    id: 'TWITTER_BEARER_TOKEN',
    title: 'X (Twitter) bearer token',
    prefixes: ['AAAAAAAAAAAAAAAAAAAAA'],
    length: [60, 110],
    alphabet: 'azAZ09%%',
  }),
  labelledSecret({
    id: 'TWITTER_SECRET',
    title: 'X (Twitter) secret',
    services: ['twitter'],
    nouns: ['secret'],
    value: {
      form: /^(?:[A-Za-z0-9]{50}|[A-Za-z0-9]{45})$/,
      letters: 62,
      sample: syntheticSecret(50, 'azAZ09'),
    },
  }),
];
