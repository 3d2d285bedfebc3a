import { kennitalaChecks } from '../../checks/national/nordic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const iceland: readonly Detector[] = [
  formattedId({
    id: 'IS_KENNITALA',
    title: 'Icelandic kennitala',
    category: 'direct_identifier',
    country: 'IS',
    regulations: ['gdpr'],
    risk: 9,
    check: kennitalaChecks,
    forms: [{ pattern: String.raw`\d{6}[- ]?\d{3}[089]` }],
    context: {
      words: ['kennitala', 'kennit', 'kt', 'national id', 'national identification', 'national identity'],
    },
    examples: {
      match: [
        { text: 'Kennitala: 120174-3399', value: '120174-3399' },
        { text: 'kt. 140684-2369', value: '140684-2369' },
        { text: '0211052790', field: 'kennitala' },
      ],
      not: ['120174-3399', 'Kennitala 120174-3389', 'Kennitala 450401-3150', 'Kennitala 12017433991'],
    },
  }),
];
