import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const azureSharedAccessKey: Detector = labelledSecret({
  id: 'AZURE_SHARED_ACCESS_KEY',
  title: 'Azure Service Bus, Event Hubs or IoT key',
  services: ['sharedaccesskey', 'shared_access_key', 'servicebus', 'service_bus', 'eventhub', 'iothub'],
  nouns: ['key'],
  form: /^[A-Za-z0-9+/]{43}=$/,
  letters: 64,
  sample: `${syntheticSecret(43, 'azAZ09')}=`,
});
