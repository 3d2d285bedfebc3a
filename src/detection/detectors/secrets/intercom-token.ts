import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** “tok” in base64 begins it. */
export const intercomToken: Detector = labelledSecret({
  id: 'INTERCOM_TOKEN',
  title: 'Intercom access token',
  services: ['intercom'],
  form: /^dG9r[A-Za-z0-9+/]{55}=$/,
  letters: 64,
  sample: `dG9r${syntheticSecret(55, 'azAZ09')}=`,
});
