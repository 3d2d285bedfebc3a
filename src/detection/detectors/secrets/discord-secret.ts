import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const discordSecret: Detector = labelledSecret({
  id: 'DISCORD_SECRET',
  title: 'Discord client secret',
  services: ['discord'],
  nouns: ['secret'],
  form: /^[A-Za-z0-9_-]{32}$/,
  letters: 64,
  sample: syntheticSecret(32, 'azAZ09'),
});
