import type { Detector } from '../detector.ts';
import { issuedToken } from './issued-token.ts';

const body = ['SyA1b2C3d4E5f', '6G7h8I9j0K1l', '2M3n4O5p6Q'].join('');

export const googleApiKey: Detector = issuedToken({
  id: 'GOOGLE_API_KEY',
  title: 'Google API key',
  prefixes: [{ text: 'AIza', length: [35, 35] }],
  alphabet: 'azAZ09__--',
  examples: {
    match: [
      `AIza${body}`,
      { text: `key=AIza${body}&x=1`, value: `AIza${body}` },
      { text: `"AIza${body}"`, value: `AIza${body}` },
    ],
    not: [`AIza${body}Z`, `AIza${body.slice(1)}`, `xAIza${body}`, `AIza${'y'.repeat(35)}`],
  },
});
