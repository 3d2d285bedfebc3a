import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const pulumiToken: Detector = issuedToken({
  id: 'PULUMI_TOKEN',
  title: 'Pulumi access token',
  prefixes: [{ text: 'pul-', length: [40, 40] }],
  alphabet: '09af',
});
