import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const resendKey: Detector = issuedToken({
  id: 'RESEND_KEY',
  title: 'Resend API key',
  prefixes: [{ text: 're_', length: [29, 39] }],
  alphabet: 'azAZ09__',
  shape: /^[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}$/,
  sample: `${syntheticSecret(8, 'azAZ09')}_${syntheticSecret(24, 'azAZ09')}`,
  examples: { match: [], not: ['re_match_all_of_the_groups_in_a_line'] },
});
