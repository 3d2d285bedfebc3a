import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const posthogKey: Detector = issuedToken({
  id: 'POSTHOG_KEY',
  title: 'PostHog personal key',
  prefixes: [{ text: 'phx_', length: [40, 60] }],
  alphabet: 'azAZ09',
});
