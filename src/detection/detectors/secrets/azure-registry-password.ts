import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const azureRegistryPassword: Detector = labelledSecret({
  id: 'AZURE_REGISTRY_PASSWORD',
  title: 'Azure container registry password',
  services: ['registry', 'acr_', 'azure_registry', 'docker_registry'],
  nouns: ['password', 'key'],
  form: /^[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9+/]{6}$/,
  letters: 64,
  sample: `${syntheticSecret(42, 'azAZ09')}+ACR${syntheticSecret(6, 'azAZ09')}`,
});
