import { balticCodeChecks } from '../../checks/national/baltic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const lithuania: readonly Detector[] = [
  formattedId({
    id: 'LT_ASMENS_KODAS',
    title: 'Lithuanian personal code',
    category: 'direct_identifier',
    country: 'LT',
    regulations: ['gdpr'],
    risk: 9,
    check: balticCodeChecks,
    forms: [{ pattern: String.raw`[1-6]\d{10}` }],
    context: { words: ['asmens kodas', 'asmens kodo', 'asmens id', 'lithuanian id'] },
    examples: {
      match: [
        { text: 'Asmens kodas: 33309240064', value: '33309240064' },
        { text: 'asmens kodas 38703181745', value: '38703181745' },
        { text: '48207150210', field: 'asmens_kodas' },
      ],
      not: [
        '33309240064',
        'asmens kodas 33309240065',
        'asmens kodas 33313240064',
        'asmens kodas 333092400640',
      ],
    },
  }),
];
