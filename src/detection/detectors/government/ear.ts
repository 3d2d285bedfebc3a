import type { Detector } from '../../detector.ts';
import { marking } from '../../families/marking.ts';

/** Goods of two uses, 15 CFR 730–774: their classification numbers, with a label unless it is EAR99. */
export const ear: Detector = marking({
  id: 'EAR',
  title: 'EAR control (ECCN)',
  country: 'US',
  regulations: ['itar'],
  risk: 5,
  confidence: 0.8,
  begins: [
    'EAR99',
    String.raw`\b\d[A-E]\d{3}`,
    String.raw`\bEXPO`,
    'Export Adm',
    String.raw`\b15 C(?:FR|\.F)`,
  ],
  forms: [
    { shape: /^EAR99/ },
    { shape: /^\d[A-E]\d{3}(?:\.[a-z](?:\.\d{1,2}(?:\.[a-z])?)?)?/, labelled: true },
    { shape: /^(?:Export Administration Regulations?|EXPORT ADMINISTRATION REGULATIONS?)/ },
    { shape: /^15 C(?:FR|\.F\.R\.)(?: parts?| §)? ?7(?:[3-6]\d|7[0-4])(?:\.\d{1,2})?/i },
  ],
  context: {
    words: ['eccn', 'export control classification', 'export classification', 'commerce control'],
  },
  examples: {
    match: [
      { text: 'ECCN: 5A002.a.1', value: '5A002.a.1' },
      'EAR99',
      { text: '3A001', field: 'eccn' },
      { text: 'under 15 CFR 740.17', value: '15 CFR 740.17' },
    ],
    not: ['5A002', 'YEAR99', 'ECCN 5F002', 'EAR995', '15 CFR 240', 'ECCN 5A0021'],
  },
});
