import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const elevenlabsKey: Detector = issuedToken({
  id: 'ELEVENLABS_KEY',
  title: 'ElevenLabs API key',
  prefixes: [{ text: 'sk_', length: [48, 48] }],
  alphabet: '09af',
});
