import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const zendeskToken: Detector = labelledSecret({
  id: 'ZENDESK_TOKEN',
  title: 'Zendesk API token',
  services: ['zendesk'],
  form: /^[A-Za-z0-9]{40}$/,
  letters: 62,
  sample: syntheticSecret(40, 'azAZ09'),
});
