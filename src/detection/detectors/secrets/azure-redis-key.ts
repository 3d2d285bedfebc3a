import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const azureRedisKey: Detector = labelledSecret({
  id: 'AZURE_REDIS_KEY',
  title: 'Azure Cache for Redis key',
  services: ['azure_redis', 'redis'],
  nouns: ['key', 'password'],
  form: /^[A-Za-z0-9]{33}AzCa[A-Za-z0-9]{6}=$/,
  letters: 62,
  sample: `${syntheticSecret(33, 'azAZ09')}AzCa${syntheticSecret(6, 'azAZ09')}=`,
});
