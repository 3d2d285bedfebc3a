import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const tailscaleKey: Detector = issuedToken({
  id: 'TAILSCALE_KEY',
  title: 'Tailscale key',
  prefixes: ['tskey-auth-', 'tskey-api-', 'tskey-client-', 'tskey-scim-', 'tskey-webhook-'].map((text) => ({
    text,
    length: [20, 70],
  })),
  alphabet: 'azAZ09--',
});
