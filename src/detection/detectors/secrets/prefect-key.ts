import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const prefectKey: Detector = issuedToken({
  id: 'PREFECT_KEY',
  title: 'Prefect API key',
  prefixes: [
    { text: 'pnu_', length: [36, 36] },
    { text: 'pnb_', length: [36, 36] },
  ],
  alphabet: 'azAZ09',
});
