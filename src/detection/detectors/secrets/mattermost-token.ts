import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const mattermostToken: Detector = labelledSecret({
  id: 'MATTERMOST_TOKEN',
  title: 'Mattermost token',
  services: ['mattermost'],
  nouns: ['token'],
  form: /^[a-z0-9]{26}$/,
  letters: 36,
  sample: syntheticSecret(26, 'az09'),
});
