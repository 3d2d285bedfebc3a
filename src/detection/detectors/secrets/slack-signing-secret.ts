import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const slackSigningSecret: Detector = labelledSecret({
  id: 'SLACK_SIGNING_SECRET',
  title: 'Slack signing secret',
  services: ['slack'],
  nouns: ['secret'],
  form: /^[0-9a-f]{32}$/,
  letters: 16,
  sample: syntheticSecret(32, '09af'),
});
