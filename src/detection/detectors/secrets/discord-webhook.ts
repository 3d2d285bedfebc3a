import type { Detector } from '../../detector.ts';
import { secretUrl } from '../../families/secret-url.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const discordWebhook: Detector = secretUrl({
  id: 'DISCORD_WEBHOOK',
  title: 'Discord webhook address',
  parts: ['api/webhooks/'],
  before: /discord(?:app)?\.com\/$/,
  after: /^\d{17,20}\/([A-Za-z0-9_-]{60,80})/,
  sample: ['discord.com/', `${syntheticSecret(18, '19')}/${syntheticSecret(60, 'azAZ09__--')}`],
  examples: {
    match: [],
    not: ['https://discord.com/api/webhooks/123456789012345678/your-token'],
  },
});
