import { chiChecks } from '../../checks/britain-ireland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ukChi: Detector = formattedId({
  id: 'UK_CHI',
  title: 'Scottish CHI number',
  category: 'health_info',
  country: 'GB',
  regulations: ['gdpr'],
  risk: 9,
  check: chiChecks,
  forms: [{ pattern: String.raw`\d{6} ?\d{4}` }],
  context: { words: ['chi', 'chi no', 'chi number', 'community health index'] },
  examples: {
    match: [
      { text: 'CHI number 1504842960', value: '1504842960' },
      { text: 'CHI: 281159 0137', value: '281159 0137' },
      { text: '0303924519', field: 'chi_number' },
    ],
    not: ['1504842960', 'CHI 1504842962', 'CHI 9434765919', 'CHI 15048429600'],
  },
});
