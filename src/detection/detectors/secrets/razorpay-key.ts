import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const razorpayKey: Detector = issuedToken({
  id: 'RAZORPAY_KEY',
  title: 'Razorpay key id',
  risk: 7,
  prefixes: [
    { text: 'rzp_live_', length: [14, 14] },
    { text: 'rzp_test_', length: [14, 14] },
  ],
  alphabet: 'azAZ09',
});
