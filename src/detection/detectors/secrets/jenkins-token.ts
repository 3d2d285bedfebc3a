import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const jenkinsToken: Detector = labelledSecret({
  id: 'JENKINS_TOKEN',
  title: 'Jenkins API token',
  services: ['jenkins'],
  nouns: ['token', 'password', 'api key'],
  form: /^(?:11[0-9a-f]{32}|[0-9a-f]{32})$/,
  letters: 16,
  sample: `11${syntheticSecret(32, '09af')}`,
});
