import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const ibmCloudKey: Detector = labelledSecret({
  id: 'IBM_CLOUD_KEY',
  title: 'IBM Cloud API key',
  services: ['ibm_cloud', 'ibmcloud', 'bluemix', 'ic_api'],
  nouns: ['api key'],
  form: /^[A-Za-z0-9_-]{44}$/,
  letters: 64,
  sample: syntheticSecret(44, 'azAZ09'),
});
