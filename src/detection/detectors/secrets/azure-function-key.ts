import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const azureFunctionKey: Detector = labelledSecret({
  id: 'AZURE_FUNCTION_KEY',
  title: 'Azure Functions key',
  services: ['azure_function', 'functions_key', 'function_key', 'x-functions-key'],
  nouns: ['key'],
  form: /^[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{6}==$/,
  letters: 64,
  sample: `${syntheticSecret(44, 'azAZ09')}AzFu${syntheticSecret(6, 'azAZ09')}==`,
});
