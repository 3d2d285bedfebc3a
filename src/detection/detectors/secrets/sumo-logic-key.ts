import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const sumoLogicKey: Detector = labelledSecret({
  id: 'SUMO_LOGIC_KEY',
  title: 'Sumo Logic access key',
  services: ['sumologic', 'sumo_logic'],
  nouns: ['access key', 'key'],
  form: /^[A-Za-z0-9]{64}$/,
  letters: 62,
  sample: syntheticSecret(64, 'azAZ09'),
});
