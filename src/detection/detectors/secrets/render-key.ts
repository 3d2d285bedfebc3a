import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const renderKey: Detector = issuedToken({
  id: 'RENDER_KEY',
  title: 'Render API key',
  prefixes: [{ text: 'rnd_', length: [24, 40] }],
  alphabet: 'azAZ09',
});
