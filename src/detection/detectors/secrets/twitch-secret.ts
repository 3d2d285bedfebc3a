import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const twitchSecret: Detector = labelledSecret({
  id: 'TWITCH_SECRET',
  title: 'Twitch secret or token',
  services: ['twitch'],
  nouns: ['secret', 'token'],
  form: /^[a-z0-9]{30}$/,
  letters: 36,
  sample: syntheticSecret(30, 'az09'),
});
