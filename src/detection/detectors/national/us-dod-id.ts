import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const usDodId: Detector = formattedId({
  id: 'US_DOD_ID',
  title: 'US military id (EDIPI)',
  category: 'direct_identifier',
  country: 'US',
  regulations: ['gdpr', 'cui'],
  risk: 8,
  forms: [{ pattern: String.raw`[1-9]\d{9}` }],
  context: {
    words: [
      'edipi',
      'edi pi',
      'dod id',
      'dod id number',
      'dodid',
      'military id',
      'cac id',
      'electronic data interchange personal identifier',
    ],
  },
  examples: {
    match: [
      { text: 'EDIPI: 1283746509', value: '1283746509' },
      { text: 'DOD ID number 1029384756', value: '1029384756' },
      { text: '1592837465', field: 'edipi' },
    ],
    not: ['1283746509', 'EDIPI 128374650', 'EDIPI 12837465091', 'DoD ID 0283746509'],
  },
});
