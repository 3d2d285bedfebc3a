import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const nigeria: readonly Detector[] = [
  formattedId({
    id: 'NG_BVN',
    title: 'Nigerian bank verification number (BVN)',
    category: 'direct_identifier',
    country: 'NG',
    regulations: ['gdpr', 'glba'],
    risk: 9,
    confidence: 0.85,
    forms: [{ pattern: String.raw`22\d{9}` }],
    context: { words: ['bvn', 'bank verification', 'bank verification number'] },
    examples: {
      match: [
        { text: 'BVN: 22183746529', value: '22183746529' },
        { text: 'Bank verification number 22394857610', value: '22394857610' },
        { text: '22501928374', field: 'bvn' },
      ],
      not: ['22183746529', 'BVN 12183746529', 'BVN 2218374652', 'BVN 221837465290'],
    },
  }),
  formattedId({
    id: 'NG_NIN',
    title: 'Nigerian identity number (NIN)',
    category: 'direct_identifier',
    country: 'NG',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.75,
    forms: [
      { pattern: String.raw`\d{11}` },
      { pattern: String.raw`\d{4} \d{3} \d{4}` },
      { pattern: String.raw`\d{4}-\d{3}-\d{4}` },
    ],
    context: { words: ['nin', 'nimc', 'national identification number', 'nin number'] },
    examples: {
      match: [
        { text: 'NIN: 73829104652', value: '73829104652' },
        { text: 'NIMC NIN 5829 473 6102', value: '5829 473 6102' },
        { text: '48291736502', field: 'nin' },
      ],
      not: ['73829104652', 'NIN 7382910465', 'NIN 738291046521', { text: '73829104652', field: 'order' }],
    },
  }),
];
