import type { Detector } from '../detector.ts';
import { issuedToken } from './issued-token.ts';

const body = ['aB3dE6gH9jK2', 'mN5pQ8sT1vW4'].join('');

/** Publishable keys (pk_) are meant for the public and not looked for. */
export const stripeKey: Detector = issuedToken({
  id: 'STRIPE_KEY',
  title: 'Stripe secret key',
  prefixes: [
    ...['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'].map((text) => ({ text, length: [20, 247] }) as const),
    { text: 'whsec_', length: [32, 64] },
  ],
  alphabet: 'azAZ09',
  examples: {
    match: [
      `sk_live_${body}`,
      `rk_live_${body}`,
      { text: `key: sk_test_${body},`, value: `sk_test_${body}` },
    ],
    not: [`sk_live_${body.slice(8)}`, `pk_live_${body}`, `sk_prod_${body}`, `sk_live_${'x'.repeat(24)}`],
  },
});
