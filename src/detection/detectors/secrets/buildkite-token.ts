import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const buildkiteToken: Detector = issuedToken({
  id: 'BUILDKITE_TOKEN',
  title: 'Buildkite token',
  prefixes: [{ text: 'bkua_', length: [40, 40] }],
  alphabet: '09af',
});
