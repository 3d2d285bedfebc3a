import type { Detector } from '../../detector.ts';
import { secretUrl } from '../../families/secret-url.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const slackWebhook: Detector = secretUrl({
  id: 'SLACK_WEBHOOK',
  title: 'Slack webhook address',
  parts: ['services/', 'workflows/', 'triggers/'],
  before: /hooks\.slack\.com\/$/,
  after: /^[A-Za-z0-9]{6,14}\/[A-Za-z0-9]{6,20}\/([A-Za-z0-9]{16,48})/,
  mask: () => 'hooks.slack.com/••••••••',
  sample: ['hooks.slack.com/', `T0A1B2C3D/B4E5F6G7H/${syntheticSecret(24, 'azAZ09')}`],
  examples: {
    match: [],
    not: [`https://hooks.slack.com/services/T00000000/B00000000/${'X'.repeat(24)}`],
  },
});
