import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const sendgridKey: Detector = issuedToken({
  id: 'SENDGRID_KEY',
  title: 'SendGrid API key',
  prefixes: [{ text: 'SG.', length: [66, 66] }],
  alphabet: 'azAZ09__--..',
  shape: /^[\w-]{22}\.[\w-]{43}$/,
  sample: `${syntheticSecret(22, 'azAZ09')}.${syntheticSecret(43, 'azAZ09')}`,
});
