import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const pagerdutyKey: Detector = labelledSecret({
  id: 'PAGERDUTY_KEY',
  title: 'PagerDuty key',
  services: ['pagerduty'],
  form: /^(?:[0-9a-f]{32}|[A-Za-z0-9_+-]{20})$/,
  letters: 32,
  sample: syntheticSecret(20, 'azAZ09'),
});
