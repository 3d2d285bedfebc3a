import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const shopifyToken: Detector = issuedToken({
  id: 'SHOPIFY_TOKEN',
  title: 'Shopify token',
  prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_'].map((text) => ({ text, length: [32, 32] })),
  alphabet: '09afAF',
});
