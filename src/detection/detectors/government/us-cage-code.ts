import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Five characters, the first and the last a digit, never I or O. */
export const usCageCode: Detector = formattedId({
  id: 'CAGE_CODE',
  title: 'CAGE code',
  category: 'government',
  country: 'US',
  regulations: [],
  risk: 3,
  confidence: 0.8,
  forms: [{ pattern: String.raw`\d[0-9A-HJ-NP-Z]{3}\d` }],
  context: { words: ['cage code', 'ncage', 'cage no', 'cage number'] },
  examples: {
    match: [
      { text: 'CAGE code: 1A2B3', value: '1A2B3' },
      { text: 'CAGE code 81755', value: '81755' },
      { text: '0Z7K0', field: 'cage_code' },
    ],
    not: [
      '1A2B3',
      'CAGE code A12B3',
      'CAGE code 1A2B34',
      'CAGE code 1O2B3',
      'no cage 12345',
      'in a cage of steel',
    ],
  },
});
