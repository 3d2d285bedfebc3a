import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const adafruitKey: Detector = issuedToken({
  id: 'ADAFRUIT_KEY',
  title: 'Adafruit IO key',
  prefixes: [{ text: 'aio_', length: [28, 28] }],
  alphabet: 'azAZ09',
});
