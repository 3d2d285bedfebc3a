import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const vercelToken: Detector = issuedToken({
  id: 'VERCEL_TOKEN',
  title: 'Vercel token',
  prefixes: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'].map((text) => ({ text, length: [24, 80] })),
  alphabet: 'azAZ09',
});
