import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** Public tokens (pk.) are part of every map and not reported. */
export const mapboxToken: Detector = issuedToken({
  id: 'MAPBOX_TOKEN',
  title: 'Mapbox secret token',
  prefixes: [{ text: 'sk.eyJ', length: [60, 250] }],
  alphabet: 'azAZ09__--..',
  shape: /^[\w-]{40,}\.[\w-]{22}$/,
  sample: `${syntheticSecret(60, 'azAZ09')}.${syntheticSecret(22, 'azAZ09')}`,
});
