import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const azureDevopsToken: Detector = labelledSecret({
  id: 'AZURE_DEVOPS_TOKEN',
  title: 'Azure DevOps token',
  services: ['azure_devops', 'azuredevops', 'system_accesstoken'],
  nouns: ['pat', 'token'],
  form: /^(?:[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})$/,
  letters: 32,
  sample: syntheticSecret(52, 'az27'),
});
