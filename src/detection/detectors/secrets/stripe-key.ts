import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** Publishable keys (pk_) are public and not reported. */
export const stripeKey: Detector = issuedToken({
  id: 'STRIPE_KEY',
  title: 'Stripe secret key',
  risk: 10,
  prefixes: [
    ...['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'].map((text) => ({ text, length: [20, 247] }) as const),
    { text: 'whsec_', length: [32, 64] },
  ],
  alphabet: 'azAZ09',
  examples: {
    match: [],
    not: [`pk_live_${syntheticSecret(24, 'azAZ09')}`, `sk_prod_${syntheticSecret(24, 'azAZ09')}`],
  },
});
