import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const adyenKey: Detector = issuedToken({
  id: 'ADYEN_KEY',
  title: 'Adyen API key',
  risk: 10,
  prefixes: [{ text: 'AQE', length: [80, 255] }],
  alphabet: 'azAZ09++//==--',
  shape: /^[a-z]hm[A-Za-z0-9+/]{30,}={0,2}-[A-Za-z0-9+/]{20,}/,
  sample: `yhm${syntheticSecret(76, 'azAZ09')}=-${syntheticSecret(43, 'azAZ09')}`,
});
