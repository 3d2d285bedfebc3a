import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const azureStorageKey: Detector = labelledSecret({
  id: 'AZURE_STORAGE_KEY',
  title: 'Azure storage or Cosmos DB key',
  risk: 10,
  services: ['account', 'azure_storage', 'storage_account', 'storageaccount', 'azurestorage', 'cosmos'],
  nouns: ['key'],
  short: true,
  form: /^[A-Za-z0-9+/]{86}==$/,
  letters: 64,
  sample: `${syntheticSecret(86, 'azAZ09')}==`,
});
