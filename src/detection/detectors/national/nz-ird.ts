import { irdChecks } from '../../checks/oceania.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const nzIrd: Detector = formattedId({
  id: 'NZ_IRD',
  title: 'New Zealand tax number',
  category: 'direct_identifier',
  country: 'NZ',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 8,
  forms: [
    { pattern: String.raw`\d{2,3}-\d{3}-\d{3}` },
    { pattern: String.raw`\d{2,3} \d{3} \d{3}` },
    { pattern: String.raw`\d{8,9}` },
  ],
  check: irdChecks,
  context: { words: ['ird', 'inland revenue', 'ird no', 'ird number'] },
  examples: {
    match: [
      { text: 'IRD: 49-091-850', value: '49-091-850' },
      { text: 'IRD number 136-410-132', value: '136-410-132' },
      { text: '35901981', field: 'ird_number' },
    ],
    not: ['49-091-850', 'IRD 49-091-851', '35901981', 'IRD 136-410-133', 'IRD 9-125-568'],
  },
});
