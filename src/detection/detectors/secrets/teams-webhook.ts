import type { Detector } from '../../detector.ts';
import { madeUp } from '../../families/made-up.ts';
import { secretUrl } from '../../families/secret-url.ts';

const id = [madeUp(8, '09af'), madeUp(4, '09af'), '4b1d', '9c0e', madeUp(12, '09af')].join('-');

export const teamsWebhook: Detector = secretUrl({
  id: 'TEAMS_WEBHOOK',
  title: 'Microsoft Teams webhook address',
  parts: ['IncomingWebhook/'],
  before:
    /(?:webhook\.office\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook)\/[0-9a-f-]{36}@[0-9a-f-]{36}\/$/,
  after: /^([0-9a-f]{32})\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/[\w-]{20,60})?/,
  sample: [`webhook.office.com/webhookb2/${id}@${id}/`, `${madeUp(32, '09af')}/${id}`],
});
