import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { madeUp } from '../../families/made-up.ts';

export const sendgridKey: Detector = issuedToken({
  id: 'SENDGRID_KEY',
  title: 'SendGrid API key',
  prefixes: [{ text: 'SG.', length: [66, 66] }],
  alphabet: 'azAZ09__--..',
  shape: /^[\w-]{22}\.[\w-]{43}$/,
  sample: `${madeUp(22, 'azAZ09')}.${madeUp(43, 'azAZ09')}`,
});
