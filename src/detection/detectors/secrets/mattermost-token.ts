import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { madeUp } from '../../families/made-up.ts';

export const mattermostToken: Detector = labelledSecret({
  id: 'MATTERMOST_TOKEN',
  title: 'Mattermost token',
  services: ['mattermost'],
  nouns: ['token'],
  form: /^[a-z0-9]{26}$/,
  letters: 36,
  sample: madeUp(26, 'az09'),
});
