import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

export const plaidToken: Detector = issuedToken({
  id: 'PLAID_TOKEN',
  title: 'Plaid access token',
  risk: 10,
  prefixes: ['access-production-', 'access-sandbox-', 'access-development-'].map((text) => ({
    text,
    length: [36, 36],
  })),
  alphabet: '09af--',
  shape: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  sample: [madeUp(8, '09af'), madeUp(4, '09af'), '4b1d', '9c0e', madeUp(12, '09af')].join('-'),
});
