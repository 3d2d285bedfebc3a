import { isAlnum, textOf } from '../bytes.ts';
import { type Detector, found } from '../detector.ts';
import { REASON } from '../reasons.ts';

const HOOK =
  /^hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9]{6,14}\/[A-Za-z0-9]{6,20}\/[A-Za-z0-9]{16,48}(?![A-Za-z0-9])/;
const path = ['T0A1B2C3D', 'B4E5F6G7H', 'aB3dE6gH9jK2mN5pQ8sT1vW4'].join('/');

export const slackWebhook: Detector = {
  id: 'SLACK_WEBHOOK',
  title: 'Slack webhook address',
  category: 'credential',
  anchors: [{ kind: 'literal', text: 'hooks.slack.com/' }],
  confidence: 0.95,
  verify(bytes, at, match) {
    if (isAlnum(bytes[at - 1]!)) return false;
    const text = HOOK.exec(textOf(bytes, at, at + 120))?.[0];
    return text !== undefined && !/X{8}|x{8}/.test(text) && found(match, at, at + text.length, REASON.issuer);
  },
  mask: () => 'hooks.slack.com/••••••••',
  examples: {
    match: [
      `hooks.slack.com/services/${path}`,
      {
        text: `curl https://hooks.slack.com/services/${path} -d x`,
        value: `hooks.slack.com/services/${path}`,
      },
      { text: `"https://hooks.slack.com/services/${path}"`, value: `hooks.slack.com/services/${path}` },
    ],
    not: [
      'https://hooks.slack.com/services/',
      `https://hooks.slack.com/other/${path}`,
      `https://hooks.slack.com/services/T00000000/B00000000/${'X'.repeat(24)}`,
    ],
  },
};
