import { oibChecks } from '../../checks/national/balkans.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const croatia: readonly Detector[] = [
  formattedId({
    id: 'HR_OIB',
    title: 'Croatian OIB',
    category: 'direct_identifier',
    country: 'HR',
    regulations: ['gdpr'],
    risk: 9,
    check: oibChecks,
    forms: [{ pattern: String.raw`\d{11}` }],
    context: { words: ['oib', 'osobni identifikacijski'] },
    examples: {
      match: [
        { text: 'OIB: 33392005961', value: '33392005961' },
        { text: 'osobni identifikacijski broj 69435151530', value: '69435151530' },
        { text: '81793028466', field: 'oib' },
      ],
      not: ['33392005961', 'OIB 33392005962', 'OIB 333920059610', 'OIB 11111111111'],
    },
  }),
];
