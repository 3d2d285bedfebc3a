import type { Detector } from '../../detector.ts';
import { secretUrl } from '../../families/secret-url.ts';

export const zapierWebhook: Detector = secretUrl({
  id: 'ZAPIER_WEBHOOK',
  title: 'Zapier webhook address',
  risk: 5,
  parts: ['hooks/catch/'],
  before: /hooks\.zapier\.com\/$/,
  after: /^\d{5,12}\/([a-z0-9]{6,16})/,
  sample: ['hooks.zapier.com/', '73019482/b3k9x2q'],
});
