import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ngBvn: Detector = formattedId({
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
});
