import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const clickupToken: Detector = issuedToken({
  id: 'CLICKUP_TOKEN',
  title: 'ClickUp token',
  prefixes: [{ text: 'pk_', length: [38, 43] }],
  alphabet: 'AZ09__',
  shape: /^\d{5,10}_[A-Z0-9]{32}$/,
  sample: `${syntheticSecret(8, '19')}_${syntheticSecret(32, 'AZ09')}`,
});
