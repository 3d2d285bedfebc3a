import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const firebaseKey: Detector = labelledSecret({
  id: 'FIREBASE_KEY',
  title: 'Firebase server key',
  services: ['firebase', 'fcm_server', 'fcm_api', 'gcm_api'],
  nouns: ['key', 'token'],
  form: /^AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{130,145}$/,
  letters: 64,
  sample: `AAAA${syntheticSecret(7, 'azAZ09')}:APA91b${syntheticSecret(130, 'azAZ09')}`,
});
