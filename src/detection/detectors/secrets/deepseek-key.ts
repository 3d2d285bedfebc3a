import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const deepseekKey: Detector = labelledSecret({
  id: 'DEEPSEEK_KEY',
  title: 'DeepSeek API key',
  services: ['deepseek'],
  form: /^sk-[0-9a-f]{32}$/,
  letters: 16,
  sample: `sk-${syntheticSecret(32, '09af')}`,
});
