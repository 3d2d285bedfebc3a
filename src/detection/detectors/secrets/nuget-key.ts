import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const nugetKey: Detector = issuedToken({
  id: 'NUGET_KEY',
  title: 'NuGet API key',
  prefixes: [{ text: 'oy2', length: [43, 43] }],
  alphabet: 'az09',
});
