import { fodselsnummerChecks } from '../../checks/nordic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** A date and two check digits: one number in three thousand of that form is one by chance. */
export const noFodselsnummer: Detector = formattedId({
  id: 'NO_FODSELSNUMMER',
  title: 'Norwegian national identity number or D-number',
  category: 'direct_identifier',
  country: 'NO',
  regulations: ['gdpr'],
  risk: 9,
  confidence: 0.85,
  check: fodselsnummerChecks,
  forms: [
    { pattern: String.raw`\d{6} \d{5}`, free: true },
    { pattern: String.raw`\d{11}` },
    { pattern: String.raw`\d{6}-\d{5}` },
  ],
  context: {
    words: [
      'fodselsnummer',
      'fødselsnummer',
      'fødselsnr',
      'foedselsnummer',
      'fnr',
      'personnummer',
      'personnr',
      'dnummer',
      'dnr',
      'national id',
      'national identification',
      'national identity',
    ],
    avoid: ['tel', 'phone', 'mobil', 'konto'],
  },
  examples: {
    match: [
      '151086 95088',
      { text: 'Fodselsnummer: 11077941012', value: '11077941012' },
      { text: 'dnr: 53077728852', value: '53077728852' },
      { text: '24010365429', field: 'fnr' },
    ],
    not: [
      '151086 95089',
      '15108695088',
      '151386 95088',
      'Fodselsnummer 110779410120',
      'Fodselsnummer 11077941013',
    ],
  },
});
