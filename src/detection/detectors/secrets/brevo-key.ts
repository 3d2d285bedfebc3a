import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

export const brevoKey: Detector = issuedToken({
  id: 'BREVO_KEY',
  title: 'Brevo key',
  prefixes: [
    { text: 'xkeysib-', length: [81, 81] },
    { text: 'xsmtpsib-', length: [81, 81] },
  ],
  alphabet: 'azAZ09--',
  shape: /^[0-9a-f]{64}-[A-Za-z0-9]{16}$/,
  sample: `${madeUp(64, '09af')}-${madeUp(16, 'azAZ09')}`,
  examples: { match: [`xsmtpsib-${madeUp(64, '09af')}-${madeUp(16, 'azAZ09')}`], not: [] },
});
