import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const azureSearchKey: Detector = labelledSecret({
  id: 'AZURE_SEARCH_KEY',
  title: 'Azure AI Search key',
  services: ['azure_search', 'search_api', 'search_admin', 'search_service'],
  nouns: ['key'],
  form: /^[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}$/,
  letters: 62,
  sample: `${syntheticSecret(42, 'azAZ09')}AzSe${syntheticSecret(6, 'azAZ09')}`,
});
