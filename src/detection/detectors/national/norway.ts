import { fodselsnummerChecks, orgNumberChecks } from '../../checks/national/nordic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const norway: readonly Detector[] = [
  // A date and two check digits: one number in three thousand of that form is one by chance.
  formattedId({
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
  }),
  formattedId({
    id: 'NO_ORG_NUMBER',
    title: 'Norwegian organisation number',
    category: 'quasi_identifier',
    country: 'NO',
    regulations: ['gdpr'],
    risk: 2,
    check: orgNumberChecks,
    forms: [{ pattern: String.raw`[89]\d{8}` }, { pattern: String.raw`[89]\d\d \d{3} \d{3}` }],
    context: { words: ['organisasjonsnummer', 'organisasjonsnr', 'org nr', 'org.nr', 'org nummer'] },
    examples: {
      match: [
        { text: 'Org.nr. 988 077 917', value: '988 077 917' },
        { text: 'Organisasjonsnummer: 974760673', value: '974760673' },
        { text: '988077917', field: 'orgnr' },
      ],
      not: ['988077917', 'Orgnr 988077918', 'Orgnr 9880779170', 'Orgnr 388077917'],
    },
  }),
];
