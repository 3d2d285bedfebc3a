import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const groqKey: Detector = issuedToken({
  id: 'GROQ_KEY',
  title: 'Groq API key',
  prefixes: [{ text: 'gsk_', length: [52, 52] }],
  alphabet: 'azAZ09',
});
