import { taiwanIdChecks } from '../../checks/china.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

export const twId: Detector = formattedId({
  id: 'TW_ID',
  title: 'Taiwanese identity number',
  category: 'direct_identifier',
  country: 'TW',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  forms: [{ pattern: String.raw`[A-Z][1289]\d{8}`, begins: COMPACT }],
  check: taiwanIdChecks,
  context: {
    words: ['taiwan', 'taiwan id', 'national id', 'roc id', 'arc', 'resident certificate', 'shenfenzheng'],
  },
  examples: {
    match: [
      { text: 'Taiwan ID: F131104093', value: 'F131104093' },
      { text: 'National ID B283746510', value: 'B283746510' },
      { text: 'A800123450', field: 'national_id' },
    ],
    not: ['F131104093', 'Taiwan ID F131104094', 'Taiwan ID F531104093', 'Taiwan ID F1311040930'],
  },
});
