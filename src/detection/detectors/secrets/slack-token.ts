import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

const body = [syntheticSecret(12, '09'), syntheticSecret(13, '09'), syntheticSecret(24, 'azAZ09')].join('-');

export const slackToken: Detector = issuedToken({
  id: 'SLACK_TOKEN',
  title: 'Slack token',
  prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xoxe-', 'xapp-'].map((text) => ({
    text,
    length: [24, 255],
  })),
  alphabet: 'azAZ09--',
  sample: body,
  examples: {
    match: [`xoxp-${body}`, { text: `"xapp-1-${body}"`, value: `xapp-1-${body}` }],
    not: ['xoxb-123', `xoxz-${body}`],
  },
});
