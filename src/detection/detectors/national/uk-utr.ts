import { utrChecks } from '../../checks/britain-ireland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ukUtr: Detector = formattedId({
  id: 'UK_UTR',
  title: 'UK Unique Taxpayer Reference',
  category: 'direct_identifier',
  country: 'GB',
  regulations: ['gdpr'],
  risk: 7,
  check: utrChecks,
  forms: [
    { pattern: String.raw`\d{10}` },
    { pattern: String.raw`\d{5} \d{5}` },
    { pattern: String.raw`\d{3} \d{3} \d{4}` },
  ],
  context: { words: ['utr', 'unique taxpayer', 'taxpayer reference'] },
  examples: {
    match: [
      { text: 'UTR: 1955839661', value: '1955839661' },
      { text: 'Unique Taxpayer Reference 24829 17365', value: '24829 17365' },
      { text: '2204859317', field: 'utr_number' },
    ],
    not: ['1955839661', 'UTR 2955839661', 'UTR 19558396611', 'UTR 1111111111', 'UTR 195583966'],
  },
});
