import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const twilioKey: Detector = issuedToken({
  id: 'TWILIO_KEY',
  title: 'Twilio API key',
  risk: 8,
  prefixes: [{ text: 'SK', length: [32, 32] }],
  alphabet: '09af',
});
