import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const giteaToken: Detector = labelledSecret({
  id: 'GITEA_TOKEN',
  title: 'Gitea or Forgejo token',
  services: ['gitea', 'forgejo', 'codeberg'],
  nouns: ['token'],
  short: true,
  form: /^[0-9a-f]{40}$/,
  letters: 16,
  sample: syntheticSecret(40, '09af'),
});
