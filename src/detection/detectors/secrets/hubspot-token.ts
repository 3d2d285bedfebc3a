import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const hubspotToken: Detector = issuedToken({
  id: 'HUBSPOT_TOKEN',
  title: 'HubSpot private app token',
  prefixes: ['pat-na1-', 'pat-na2-', 'pat-na3-', 'pat-eu1-', 'pat-ap1-'].map((text) => ({
    text,
    length: [36, 36],
  })),
  alphabet: '09af--',
  shape: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  sample: [
    syntheticSecret(8, '09af'),
    syntheticSecret(4, '09af'),
    '4b1d',
    '9c0e',
    syntheticSecret(12, '09af'),
  ].join('-'),
});
