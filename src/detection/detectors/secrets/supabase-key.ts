import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** Publishable keys (sb_publishable_) are public and not reported. */
export const supabaseKey: Detector = issuedToken({
  id: 'SUPABASE_KEY',
  title: 'Supabase secret key',
  prefixes: [
    { text: 'sbp_', length: [40, 40] },
    { text: 'sb_secret_', length: [28, 50], alphabet: 'azAZ09__--' },
  ],
  alphabet: '09af',
  examples: { match: [], not: [`sb_publishable_${syntheticSecret(31, 'azAZ09')}`] },
});
