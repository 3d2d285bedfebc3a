import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const rapidapiKey: Detector = labelledSecret({
  id: 'RAPIDAPI_KEY',
  title: 'RapidAPI key',
  risk: 7,
  services: ['rapidapi'],
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
});
