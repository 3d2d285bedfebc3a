import type { Detector } from '../../detector.ts';
import { madeUp } from '../../families/made-up.ts';
import { secretUrl } from '../../families/secret-url.ts';

const key = `AI${'za'}${madeUp(35, 'azAZ09')}`;

export const googleChatWebhook: Detector = secretUrl({
  id: 'GOOGLE_CHAT_WEBHOOK',
  title: 'Google Chat webhook address',
  parts: ['v1/spaces/'],
  before: /chat\.googleapis\.com\/$/,
  after: /^[\w-]{8,20}\/messages\?key=[\w-]{39}&token=([\w%-]{40,80})/,
  sample: ['chat.googleapis.com/', `AAAAq7Lw2nZ/messages?key=${key}&token=${madeUp(40, 'azAZ09')}`],
});
