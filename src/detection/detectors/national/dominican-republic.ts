import { luhn } from '../../checks/check-digits.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const dominicanRepublic: readonly Detector[] = [
  formattedId({
    id: 'DO_CEDULA',
    title: 'Dominican identity card',
    category: 'direct_identifier',
    country: 'DO',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{3}-\d{7}-\d`, free: true }, { pattern: String.raw`\d{11}` }],
    check: luhn,
    context: { words: ['cedula', 'cédula'] },
    examples: {
      match: [
        '001-1391820-5',
        { text: 'Cédula: 402-2718394-0', value: '402-2718394-0' },
        { text: '00113918205', field: 'cedula' },
      ],
      not: ['001-1391820-6', '00113918205', 'cedula 00113918206', '1001-1391820-5'],
    },
  }),
];
