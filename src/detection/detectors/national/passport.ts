import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

/**
 * US and Britain nine digits; India, China, Mexico a letter; Italy, Japan, Poland two; Germany, France, Spain, the
 * Netherlands, Korea, Canada, Switzerland and Russia have forms of their own.
 */
export const passport: Detector = formattedId({
  id: 'PASSPORT',
  title: 'Passport number',
  category: 'direct_identifier',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  forms: [
    { pattern: String.raw`\d{8,9}` },
    {
      pattern: String.raw`(?:[A-Z]\d{7,8}|[A-Z]{2}\d{6,7}|[A-Z]{3}\d{6}|\d{2}[A-Z]{2}\d{5})`,
      begins: COMPACT,
    },
    { pattern: '[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}', begins: COMPACT },
    { pattern: String.raw`[A-NP-Z]{2}[A-NP-Z0-9]{6}\d`, begins: COMPACT },
    {
      pattern: String.raw`(?:[MSRODG]\d{3}[A-Z]\d{4}|[A-Z]\d{6}[A-Z]{2}|[A-Z]\d[A-Z]\d{5})`,
      begins: COMPACT,
    },
    { pattern: String.raw`\d{2} \d{7}` },
  ],
  context: {
    words: [
      'passport',
      'passport no',
      'passport number',
      'travel document',
      'passeport',
      'reisepass',
      'pasaporte',
      'passaporte',
      'pasaport',
    ],
  },
  examples: {
    match: [
      { text: 'Passport No: 533401288', value: '533401288' },
      { text: 'passport number X1234567', value: 'X1234567' },
      { text: 'C01X00T47', field: 'passportNumber' },
      { text: 'Passeport 12AB34567', value: '12AB34567' },
      { text: 'passport M123A4567', value: 'M123A4567' },
      { text: 'Passport: 75 1234567', value: '75 1234567' },
    ],
    not: [
      '533401288',
      'X1234567',
      'passport renewal in 1234567 days',
      'passport 5334012881',
      'passport PASSENGER',
      'passport office',
    ],
  },
});
