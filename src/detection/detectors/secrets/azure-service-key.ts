import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** The common form of newer keys, those of Azure OpenAI among them. */
export const azureServiceKey: Detector = labelledSecret({
  id: 'AZURE_SERVICE_KEY',
  title: 'Azure AI service key',
  services: ['azure_', 'azureopenai', 'cognitive', 'speech_', 'translator', 'document_intelligence'],
  nouns: ['api key', 'key'],
  form: /^[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}$/,
  letters: 62,
  sample: `${syntheticSecret(52, 'azAZ09')}JQQJ99${syntheticSecret(26, 'azAZ09')}`,
});
