import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

export const usPtin: Detector = formattedId({
  id: 'US_PTIN',
  title: 'US tax preparer number',
  category: 'direct_identifier',
  country: 'US',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 4,
  forms: [{ pattern: String.raw`P\d{8}`, begins: COMPACT }],
  context: { words: ['ptin', 'preparer tax', 'preparer'] },
  examples: {
    match: [
      { text: "Preparer's PTIN: P01234567", value: 'P01234567' },
      { text: 'PTIN P00482917', value: 'P00482917' },
      { text: 'P01837465', field: 'preparer_ptin' },
    ],
    not: ['P01234567', 'PTIN P0123456', 'PTIN P012345678', 'PTIN Q01234567'],
  },
});
