import { uruguayCiChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const uruguay: readonly Detector[] = [
  formattedId({
    id: 'UY_CI',
    title: 'Uruguayan identity card',
    category: 'direct_identifier',
    country: 'UY',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [
      { pattern: String.raw`\d\.\d{3}\.\d{3}-\d`, free: true },
      { pattern: String.raw`\d{6,7}-\d` },
      { pattern: String.raw`\d{7,8}` },
    ],
    check: uruguayCiChecks,
    context: { words: ['c.i.', 'cedula', 'cédula'] },
    examples: {
      match: [
        '3.284.175-7',
        { text: 'C.I.: 4.719.036-5', value: '4.719.036-5' },
        { text: '1234567-2', field: 'cedula_identidad' },
      ],
      not: ['3.284.175-8', '1234567-2', '12345672', '13.284.175-7', 'cedula 1234567-3'],
    },
  }),
];
