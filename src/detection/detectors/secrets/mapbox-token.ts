import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

/** Public tokens (pk.) are in every map and not looked for. */
export const mapboxToken: Detector = issuedToken({
  id: 'MAPBOX_TOKEN',
  title: 'Mapbox secret token',
  prefixes: [{ text: 'sk.eyJ', length: [60, 250] }],
  alphabet: 'azAZ09__--..',
  shape: /^[\w-]{40,}\.[\w-]{22}$/,
  sample: `${madeUp(60, 'azAZ09')}.${madeUp(22, 'azAZ09')}`,
});
