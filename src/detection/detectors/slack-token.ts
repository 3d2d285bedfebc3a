import type { Detector } from '../detector.ts';
import { issuedToken } from './issued-token.ts';

const body = ['210987654321', '123456789012', 'aB3dE6gH9jK2mN5pQ8sT1vW4'].join('-');

export const slackToken: Detector = issuedToken({
  id: 'SLACK_TOKEN',
  title: 'Slack token',
  prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xapp-'].map((text) => ({
    text,
    length: [24, 200],
  })),
  alphabet: 'azAZ09--',
  examples: {
    match: [`xoxb-${body}`, `xoxp-${body}`, { text: `"xapp-1-${body}"`, value: `xapp-1-${body}` }],
    not: ['xoxb-123', `xoxz-${body}`, `axoxb-${body}`, `xoxb-${'x'.repeat(30)}`],
  },
});
