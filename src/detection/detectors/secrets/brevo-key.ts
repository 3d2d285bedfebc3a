import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const brevoKey: Detector = issuedToken({
  id: 'BREVO_KEY',
  title: 'Brevo key',
  prefixes: [
    { text: 'xkeysib-', length: [81, 81] },
    { text: 'xsmtpsib-', length: [81, 81] },
  ],
  alphabet: 'azAZ09--',
  shape: /^[0-9a-f]{64}-[A-Za-z0-9]{16}$/,
  sample: `${syntheticSecret(64, '09af')}-${syntheticSecret(16, 'azAZ09')}`,
  examples: { match: [`xsmtpsib-${syntheticSecret(64, '09af')}-${syntheticSecret(16, 'azAZ09')}`], not: [] },
});
