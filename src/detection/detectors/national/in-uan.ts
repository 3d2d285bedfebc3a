import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const inUan: Detector = formattedId({
  id: 'IN_UAN',
  title: 'Indian provident fund number (UAN)',
  category: 'direct_identifier',
  country: 'IN',
  regulations: ['gdpr', 'ccpa'],
  risk: 7,
  forms: [{ pattern: String.raw`1\d{11}` }],
  context: { words: ['uan', 'uan no', 'epfo', 'universal account'] },
  examples: {
    match: [
      { text: 'UAN: 101234567890', value: '101234567890' },
      { text: 'EPFO UAN 100987654321', value: '100987654321' },
      { text: '101928374650', field: 'uan_number' },
    ],
    not: ['101234567890', 'UAN 201234567890', 'UAN 10123456789', 'UAN 1012345678901'],
  },
});
