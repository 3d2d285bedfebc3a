import { kazakhIinChecks } from '../../checks/national/middle-east-africa.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const kazakhstan: readonly Detector[] = [
  formattedId({
    id: 'KZ_IIN',
    title: 'Kazakh individual number (IIN)',
    category: 'direct_identifier',
    country: 'KZ',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{12}` }],
    check: kazakhIinChecks,
    context: { words: ['iin', 'individual identification number', 'zhsn', 'kazakhstan'] },
    examples: {
      match: [
        { text: 'IIN: 791028302728', value: '791028302728' },
        { text: 'Individual identification number 850412300185', value: '850412300185' },
        { text: '930723450275', field: 'iin' },
      ],
      not: ['791028302728', 'IIN 791028302729', 'IIN 791328302728', 'IIN 7910283027280'],
    },
  }),
];
