import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const neonKey: Detector = issuedToken({
  id: 'NEON_KEY',
  title: 'Neon API key',
  prefixes: [{ text: 'napi_', length: [64, 64] }],
  alphabet: 'az09',
});
