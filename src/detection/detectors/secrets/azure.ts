import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/secrets/labelled-secret.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';

/** Microsoft Azure. */
export const azure: readonly Detector[] = [
  labelledSecret({
    id: 'AZURE_DEVOPS_TOKEN',
    title: 'Azure DevOps token',
    services: ['azure_devops', 'azuredevops', 'system_accesstoken'],
    nouns: ['pat', 'token'],
    value: {
      form: /^(?:[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})$/,
      letters: 32,
      sample: syntheticSecret(52, 'az27'),
    },
  }),
  labelledSecret({
    id: 'AZURE_FUNCTION_KEY',
    title: 'Azure Functions key',
    services: ['azure_function', 'functions_key', 'function_key', 'x-functions-key'],
    nouns: ['key'],
    value: {
      form: /^[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{6}==$/,
      letters: 64,
      sample: `${syntheticSecret(44, 'azAZ09')}AzFu${syntheticSecret(6, 'azAZ09')}==`,
    },
  }),
  labelledSecret({
    id: 'AZURE_REDIS_KEY',
    title: 'Azure Cache for Redis key',
    services: ['azure_redis', 'redis'],
    nouns: ['key', 'password'],
    value: {
      form: /^[A-Za-z0-9]{33}AzCa[A-Za-z0-9]{6}=$/,
      letters: 62,
      sample: `${syntheticSecret(33, 'azAZ09')}AzCa${syntheticSecret(6, 'azAZ09')}=`,
    },
  }),
  labelledSecret({
    id: 'AZURE_REGISTRY_PASSWORD',
    title: 'Azure container registry password',
    services: ['registry', 'acr_', 'azure_registry', 'docker_registry'],
    nouns: ['password', 'key'],
    value: {
      form: /^[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9+/]{6}$/,
      letters: 64,
      sample: `${syntheticSecret(42, 'azAZ09')}+ACR${syntheticSecret(6, 'azAZ09')}`,
    },
  }),
  labelledSecret({
    id: 'AZURE_SEARCH_KEY',
    title: 'Azure AI Search key',
    services: ['azure_search', 'search_api', 'search_admin', 'search_service'],
    nouns: ['key'],
    value: {
      form: /^[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}$/,
      letters: 62,
      sample: `${syntheticSecret(42, 'azAZ09')}AzSe${syntheticSecret(6, 'azAZ09')}`,
    },
  }),
  // The common form of newer keys, those of Azure OpenAI among them.
  labelledSecret({
    id: 'AZURE_SERVICE_KEY',
    title: 'Azure AI service key',
    services: ['azure_', 'azureopenai', 'cognitive', 'speech_', 'translator', 'document_intelligence'],
    nouns: ['api key', 'key'],
    value: {
      form: /^[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}$/,
      letters: 62,
      sample: `${syntheticSecret(52, 'azAZ09')}JQQJ99${syntheticSecret(26, 'azAZ09')}`,
    },
  }),
  labelledSecret({
    id: 'AZURE_SHARED_ACCESS_KEY',
    title: 'Azure Service Bus, Event Hubs or IoT key',
    services: ['sharedaccesskey', 'shared_access_key', 'servicebus', 'service_bus', 'eventhub', 'iothub'],
    nouns: ['key'],
    value: { form: /^[A-Za-z0-9+/]{43}=$/, letters: 64, sample: `${syntheticSecret(43, 'azAZ09')}=` },
  }),
  labelledSecret({
    id: 'AZURE_STORAGE_KEY',
    title: 'Azure storage or Cosmos DB key',
    risk: 10,
    services: ['account', 'azure_storage', 'storage_account', 'storageaccount', 'azurestorage', 'cosmos'],
    nouns: ['key'],
    short: true,
    value: { form: /^[A-Za-z0-9+/]{86}==$/, letters: 64, sample: `${syntheticSecret(86, 'azAZ09')}==` },
  }),
];
