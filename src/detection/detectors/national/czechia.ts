import { rodneCisloChecks } from '../../checks/national/central-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const czechia: readonly Detector[] = [
  // Written so are also some Czech accounts, the bank after the slash; few of them are dates and multiples of 11.
  formattedId({
    id: 'CZ_BIRTH_NUMBER',
    title: 'Czech and Slovak birth number (rodné číslo)',
    category: 'direct_identifier',
    country: 'CZ',
    regulations: ['gdpr'],
    risk: 9,
    confidence: 0.8,
    check: rodneCisloChecks,
    forms: [{ pattern: String.raw`\d{6}/\d{4}`, free: true }, { pattern: String.raw`\d{10}` }],
    context: {
      words: [
        'rodne cislo',
        'rodné číslo',
        'rodného čísla',
        'birth number',
        'national id',
        'national identification',
        'national identity',
      ],
      avoid: ['ucet', 'uctu', 'účet', 'účtu', 'account', 'iban'],
    },
    examples: {
      match: [
        '710319/2745',
        { text: 'Rodne cislo: 855612/0474', value: '855612/0474' },
        { text: 'rodne cislo 7409183310', value: '7409183310' },
        { text: '0361071140', field: 'rodne_cislo' },
      ],
      not: ['710319/2746', '7103192745', '713319/2745', '710319/27450', '19-710319/2745'],
    },
  }),
];
