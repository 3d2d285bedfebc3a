import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const fireworksKey: Detector = issuedToken({
  id: 'FIREWORKS_KEY',
  title: 'Fireworks AI API key',
  prefixes: [{ text: 'fw_', length: [22, 24] }],
  alphabet: 'azAZ09',
});
