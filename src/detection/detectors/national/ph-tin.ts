import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const phTin: Detector = formattedId({
  id: 'PH_TIN',
  title: 'Philippine tax number',
  category: 'direct_identifier',
  country: 'PH',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 8,
  confidence: 0.7,
  forms: [{ pattern: String.raw`\d{3}-\d{3}-\d{3}-\d{3,5}` }, { pattern: String.raw`\d{3}-\d{3}-\d{3}` }],
  context: { words: ['tin', 'tin no', 'bir', 'tax payer identification'] },
  examples: {
    match: [
      { text: 'TIN: 123-482-917-000', value: '123-482-917-000' },
      { text: 'BIR TIN no. 408-271-936', value: '408-271-936' },
      { text: '219-384-756-00000', field: 'tin' },
    ],
    not: ['123-482-917-000', '408-271-936', 'TIN 408-271-93', 'TIN 408-271-9366'],
  },
});
