import { cnpChecks } from '../../checks/national/balkans.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const romania: readonly Detector[] = [
  formattedId({
    id: 'RO_CNP',
    title: 'Romanian CNP',
    category: 'direct_identifier',
    country: 'RO',
    regulations: ['gdpr'],
    risk: 9,
    check: cnpChecks,
    forms: [{ pattern: String.raw`[1-9]\d{12}` }],
    context: {
      words: ['cnp', 'cod numeric personal', 'national id', 'national identification', 'national identity'],
    },
    examples: {
      match: [
        { text: 'CNP: 1630615123457', value: '1630615123457' },
        { text: 'cod numeric personal 2840312401173', value: '2840312401173' },
        { text: '5010220452397', field: 'cnp' },
      ],
      not: ['1630615123457', 'CNP 1630615123458', 'CNP 1631315123457', 'CNP 16306151234570'],
    },
  }),
];
