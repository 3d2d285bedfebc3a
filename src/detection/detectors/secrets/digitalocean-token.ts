import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const digitaloceanToken: Detector = issuedToken({
  id: 'DIGITALOCEAN_TOKEN',
  title: 'DigitalOcean token',
  prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'].map((text) => ({ text, length: [64, 64] })),
  alphabet: '09af',
});
