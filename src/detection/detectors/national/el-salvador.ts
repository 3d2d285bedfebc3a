import { duiChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const elSalvador: readonly Detector[] = [
  formattedId({
    id: 'SV_DUI',
    title: 'Salvadoran identity document (DUI)',
    category: 'direct_identifier',
    country: 'SV',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{8}-\d` }],
    check: duiChecks,
    context: { words: ['dui', 'documento unico de identidad', 'documento unico'] },
    examples: {
      match: [
        { text: 'DUI: 00016297-5', value: '00016297-5' },
        { text: 'DUI 04829173-4', value: '04829173-4' },
        { text: '02738465-3', field: 'dui' },
      ],
      not: ['00016297-5', 'DUI 00016297-6', 'DUI 0016297-5', 'DUI 100016297-5'],
    },
  }),
];
