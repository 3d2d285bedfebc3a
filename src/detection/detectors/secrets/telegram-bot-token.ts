import type { Detector } from '../../detector.ts';
import { markedKey } from '../../families/marked-key.ts';
import { COLON } from '../../families/shared-prefilters.ts';

export const telegramBotToken: Detector = markedKey({
  id: 'TELEGRAM_BOT_TOKEN',
  title: 'Telegram bot token',
  prefilter: COLON,
  marks: [':AA'],
  before: { alphabet: '09', length: [8, 10] },
  after: { alphabet: 'azAZ09__--', length: 33 },
});
