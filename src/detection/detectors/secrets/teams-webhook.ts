import type { Detector } from '../../detector.ts';
import { secretUrl } from '../../families/secret-url.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

const id = [
  syntheticSecret(8, '09af'),
  syntheticSecret(4, '09af'),
  '4b1d',
  '9c0e',
  syntheticSecret(12, '09af'),
].join('-');

export const teamsWebhook: Detector = secretUrl({
  id: 'TEAMS_WEBHOOK',
  title: 'Microsoft Teams webhook address',
  parts: ['IncomingWebhook/'],
  before:
    /(?:webhook\.office\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook)\/[0-9a-f-]{36}@[0-9a-f-]{36}\/$/,
  after: /^([0-9a-f]{32})\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/[\w-]{20,60})?/,
  sample: [`webhook.office.com/webhookb2/${id}@${id}/`, `${syntheticSecret(32, '09af')}/${id}`],
});
