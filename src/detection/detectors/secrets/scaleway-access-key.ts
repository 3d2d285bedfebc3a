import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const scalewayAccessKey: Detector = issuedToken({
  id: 'SCALEWAY_ACCESS_KEY',
  title: 'Scaleway access key',
  risk: 7,
  prefixes: [{ text: 'SCW', length: [17, 17] }],
  alphabet: 'AZ09',
});
