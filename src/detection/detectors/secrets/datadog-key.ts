import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const datadogKey: Detector = labelledSecret({
  id: 'DATADOG_KEY',
  title: 'Datadog key',
  services: ['datadog', 'dd'],
  nouns: ['api key', 'app key', 'application key', 'token'],
  short: true,
  form: /^(?:[0-9a-f]{40}|[0-9a-f]{32})$/,
  letters: 16,
  sample: syntheticSecret(32, '09af'),
});
