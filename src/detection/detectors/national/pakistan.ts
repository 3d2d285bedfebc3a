import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const pakistan: readonly Detector[] = [
  formattedId({
    id: 'PK_CNIC',
    title: 'Pakistani identity card (CNIC)',
    category: 'direct_identifier',
    country: 'PK',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.8,
    forms: [{ pattern: String.raw`[1-7]\d{4}-\d{7}-\d` }, { pattern: String.raw`[1-7]\d{12}` }],
    context: { words: ['cnic', 'nicop', 'nadra', 'national identity card'] },
    examples: {
      match: [
        { text: 'CNIC: 35202-1847362-9', value: '35202-1847362-9' },
        { text: 'NADRA CNIC no 42101-5837261-4', value: '42101-5837261-4' },
        { text: '3520218473629', field: 'cnic' },
      ],
      not: ['35202-1847362-9', 'CNIC 95202-1847362-9', 'CNIC 35202-184736-9', '3520218473629'],
    },
  }),
];
