import type { Detector } from '../../detector.ts';
import { labelledSecret } from '../../families/labelled-secret.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

/** Search keys are public and not reported. */
export const algoliaKey: Detector = labelledSecret({
  id: 'ALGOLIA_KEY',
  title: 'Algolia API key',
  services: ['algolia'],
  nouns: ['admin key', 'admin api key', 'write key', 'write api key', 'api key', 'secret'],
  form: /^[0-9a-f]{32}$/,
  letters: 16,
  sample: syntheticSecret(32, '09af'),
  examples: { match: [], not: [`algolia_search_only_key: ${syntheticSecret(32, '09af')}`] },
});
