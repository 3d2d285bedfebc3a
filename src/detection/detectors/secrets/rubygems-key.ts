import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const rubygemsKey: Detector = issuedToken({
  id: 'RUBYGEMS_KEY',
  title: 'RubyGems API key',
  prefixes: [{ text: 'rubygems_', length: [48, 48] }],
  alphabet: '09af',
});
