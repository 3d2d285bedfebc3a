import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const cloudflareApiKey: Detector = labelledSecret({
  id: 'CLOUDFLARE_API_KEY',
  title: 'Cloudflare API key without a prefix',
  services: ['cloudflare'],
  form: /^(?:[0-9a-f]{37}|[A-Za-z0-9_-]{40})$/,
  letters: 16,
  sample: syntheticSecret(37, '09af'),
  examples: {
    match: [
      { text: `CLOUDFLARE_API_TOKEN=${syntheticSecret(40, 'azAZ09')}`, value: syntheticSecret(40, 'azAZ09') },
    ],
    not: [],
  },
});
