import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { madeUp } from '../../families/made-up.ts';

export const cloudflareApiKey: Detector = labelledSecret({
  id: 'CLOUDFLARE_API_KEY',
  title: 'Cloudflare API key without a prefix',
  services: ['cloudflare'],
  form: /^(?:[0-9a-f]{37}|[A-Za-z0-9_-]{40})$/,
  letters: 16,
  sample: madeUp(37, '09af'),
  examples: {
    match: [{ text: `CLOUDFLARE_API_TOKEN=${madeUp(40, 'azAZ09')}`, value: madeUp(40, 'azAZ09') }],
    not: [],
  },
});
