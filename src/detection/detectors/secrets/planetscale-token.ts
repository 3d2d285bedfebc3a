import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const planetscaleToken: Detector = issuedToken({
  id: 'PLANETSCALE_TOKEN',
  title: 'PlanetScale token',
  prefixes: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'].map((text) => ({ text, length: [32, 64] })),
  alphabet: 'azAZ09__--..==',
});
