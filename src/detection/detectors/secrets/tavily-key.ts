import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const tavilyKey: Detector = issuedToken({
  id: 'TAVILY_KEY',
  title: 'Tavily API key',
  prefixes: [{ text: 'tvly-', length: [30, 60] }],
  alphabet: 'azAZ09__--',
});
