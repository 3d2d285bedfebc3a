import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const costaRica: readonly Detector[] = [
  formattedId({
    id: 'CR_CEDULA',
    title: 'Costa Rican identity card',
    category: 'direct_identifier',
    country: 'CR',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`[1-9]-\d{4}-\d{4}` }],
    context: { words: ['cedula', 'cédula', 'costa rica'] },
    examples: {
      match: [
        { text: 'Cédula: 1-0938-0472', value: '1-0938-0472' },
        { text: 'cedula 2-0564-0917', value: '2-0564-0917' },
        { text: '7-0112-0836', field: 'cedula' },
      ],
      not: ['1-0938-0472', 'cedula 0-0938-0472', 'cedula 1-0938-04721', 'cedula 1-938-472'],
    },
  }),
];
