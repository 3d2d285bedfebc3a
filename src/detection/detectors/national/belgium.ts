import { rijksregisterChecks } from '../../checks/national/benelux.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const belgium: readonly Detector[] = [
  // Also the BIS number of people who are not in the register.
  formattedId({
    id: 'BE_NATIONAL_NUMBER',
    title: 'Belgian national register number',
    category: 'direct_identifier',
    country: 'BE',
    regulations: ['gdpr'],
    risk: 9,
    check: rijksregisterChecks,
    forms: [
      { pattern: String.raw`\d\d\.\d\d\.\d\d-\d{3}[.-]\d\d`, free: true },
      { pattern: String.raw`\d\d\.\d\d\.\d\d[ -]\d{3}[ .-]\d\d` },
      { pattern: String.raw`\d{6}[ -]?\d{3}[ .-]?\d\d` },
    ],
    context: {
      words: [
        'rijksregisternummer',
        'rijksregister',
        'rrn',
        'registre national',
        'numéro national',
        'numero national',
        'nationaal nummer',
        'insz',
        'niss',
        'bis nummer',
        'national id',
        'national identification',
        'national identity',
      ],
    },
    examples: {
      match: [
        '85.07.30-033.28',
        { text: 'Rijksregisternummer: 85073003328', value: '85073003328' },
        { text: 'Numero national 17.07.30-033.84', value: '17.07.30-033.84' },
        { text: '00012511148', field: 'insz' },
      ],
      not: ['85.07.30-033.29', '85073003328', '85.13.30-033.28', 'Rijksregisternummer 850730033280'],
    },
  }),
];
