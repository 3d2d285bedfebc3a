import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

/** Forty characters and a checksum of eight, whose making is not published. Older tokens have no prefix. */
export const cloudflareToken: Detector = issuedToken({
  id: 'CLOUDFLARE_TOKEN',
  title: 'Cloudflare token',
  prefixes: ['cfut_', 'cfat_', 'cfk_'].map((text) => ({ text, length: [48, 48] })),
  alphabet: 'azAZ09',
});
