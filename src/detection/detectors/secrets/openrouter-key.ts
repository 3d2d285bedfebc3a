import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const openrouterKey: Detector = issuedToken({
  id: 'OPENROUTER_KEY',
  title: 'OpenRouter API key',
  prefixes: [{ text: 'sk-or-v1-', length: [64, 64] }],
  alphabet: '09af',
});
