import { organisationsnummerChecks, personnummerChecks } from '../../checks/national/nordic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const sweden: readonly Detector[] = [
  formattedId({
    id: 'SE_ORG_NUMBER',
    title: 'Swedish organisation number',
    category: 'quasi_identifier',
    country: 'SE',
    regulations: ['gdpr'],
    risk: 2,
    check: organisationsnummerChecks,
    forms: [{ pattern: String.raw`[1-9]\d[2-9]\d{3}-?\d{4}` }],
    context: { words: ['organisationsnummer', 'organisationsnr', 'org nr', 'org.nr', 'org nummer'] },
    examples: {
      match: [
        { text: 'Organisationsnummer: 556036-0793', value: '556036-0793' },
        { text: 'org nr 5560125790', value: '5560125790' },
        { text: '202100-5489', field: 'orgnr' },
      ],
      not: [
        '556036-0793',
        'Organisationsnummer 556036-0794',
        'Organisationsnummer 811218-9876',
        'Organisationsnummer 55603607930',
      ],
    },
  }),
  formattedId({
    id: 'SE_PERSONNUMMER',
    title: 'Swedish personal or coordination number',
    category: 'direct_identifier',
    country: 'SE',
    regulations: ['gdpr'],
    risk: 9,
    confidence: 0.8,
    check: personnummerChecks,
    forms: [
      { pattern: String.raw`(?:1[89]|20)\d{6}[-+]\d{4}`, free: true },
      { pattern: String.raw`\d{6}[-+]\d{4}`, free: true },
      { pattern: String.raw`(?:1[89]|20)\d{10}` },
      { pattern: String.raw`\d{10}` },
    ],
    context: {
      words: [
        'personnummer',
        'personnr',
        'pers nr',
        'samordningsnummer',
        'samordningsnr',
        'pnr',
        'national id',
        'national identification',
        'national identity',
      ],
      avoid: ['tel', 'telefon', 'phone', 'order', 'org nr', 'organisationsnummer'],
    },
    examples: {
      match: [
        '811218-9876',
        '19811218-9876',
        { text: 'Personnummer: 8803200016', value: '8803200016' },
        { text: 'samordningsnummer 701063-2391', value: '701063-2391' },
        { text: '200304121189', field: 'personnummer' },
      ],
      not: ['811218-9875', '811318-9876', '8112189876', '121212-1212', 'Personnummer 81121898760'],
    },
  }),
];
