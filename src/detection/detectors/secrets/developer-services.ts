import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/secrets/issued-token.ts';
import { labelledSecret } from '../../families/secrets/labelled-secret.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';

/** APIs and tools for developers. */
export const developerServices: readonly Detector[] = [
  issuedToken({
    id: 'ADAFRUIT_KEY',
    title: 'Adafruit IO key',
    prefixes: ['aio_'],
    length: 28,
    alphabet: 'azAZ09',
  }),
  // Public tokens (pk.) are part of every map and not reported.
  issuedToken({
    id: 'MAPBOX_TOKEN',
    title: 'Mapbox secret token',
    prefixes: ['sk.eyJ'],
    length: [60, 250],
    alphabet: 'azAZ09__--..',
    shape: /^[\w-]{40,}\.[\w-]{22}$/,
    sample: `${syntheticSecret(60, 'azAZ09')}.${syntheticSecret(22, 'azAZ09')}`,
  }),
  issuedToken({
    id: 'POSTMAN_KEY',
    title: 'Postman API key',
    prefixes: ['PMAK-'],
    length: 59,
    alphabet: '09af--',
    shape: /^[0-9a-f]{24}-[0-9a-f]{34}$/,
    sample: `${syntheticSecret(24, '09af')}-${syntheticSecret(34, '09af')}`,
  }),
  labelledSecret({
    id: 'RAPIDAPI_KEY',
    title: 'RapidAPI key',
    risk: 7,
    services: ['rapidapi'],
    value: {
      form: /^[0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{6}jsn[0-9a-f]{11,12}$/,
      letters: 16,
      sample: [
        syntheticSecret(10, '09af'),
        'msh',
        syntheticSecret(15, '09af'),
        'p1',
        syntheticSecret(6, '09af'),
        'jsn',
        syntheticSecret(11, '09af'),
      ].join(''),
    },
  }),
  issuedToken({
    id: 'README_KEY',
    title: 'ReadMe API key',
    prefixes: ['rdme_'],
    length: 70,
    alphabet: 'az09',
  }),
];
