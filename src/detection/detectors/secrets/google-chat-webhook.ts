import type { Detector } from '../../detector.ts';
import { secretUrl } from '../../families/secret-url.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

const key = `AI${'za'}${syntheticSecret(35, 'azAZ09')}`;

export const googleChatWebhook: Detector = secretUrl({
  id: 'GOOGLE_CHAT_WEBHOOK',
  title: 'Google Chat webhook address',
  parts: ['v1/spaces/'],
  before: /chat\.googleapis\.com\/$/,
  after: /^[\w-]{8,20}\/messages\?key=[\w-]{39}&token=([\w%-]{40,80})/,
  sample: ['chat.googleapis.com/', `AAAAq7Lw2nZ/messages?key=${key}&token=${syntheticSecret(40, 'azAZ09')}`],
});
