import { kimlikChecks, vergiChecks } from '../../checks/national/middle-east-africa.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const turkey: readonly Detector[] = [
  formattedId({
    id: 'TR_KIMLIK',
    title: 'Turkish identity number (T.C. kimlik no)',
    category: 'direct_identifier',
    country: 'TR',
    regulations: ['gdpr'],
    risk: 9,
    check: kimlikChecks,
    forms: [{ pattern: String.raw`[1-9]\d{10}` }],
    context: {
      words: [
        'kimlik',
        'tckn',
        'tc no',
        'turkish id',
        'national id',
        'national identification',
        'national identity',
      ],
    },
    examples: {
      match: [
        { text: 'T.C. Kimlik No: 17291716060', value: '17291716060' },
        { text: 'TCKN 28394017206', value: '28394017206' },
        { text: '49581726350', field: 'tc_kimlik_no' },
      ],
      not: ['17291716060', 'TCKN 17291716061', 'TCKN 07291716060', 'TCKN 172917160600'],
    },
  }),
  formattedId({
    id: 'TR_VKN',
    title: 'Turkish tax number (VKN)',
    category: 'quasi_identifier',
    country: 'TR',
    regulations: ['gdpr'],
    risk: 4,
    check: vergiChecks,
    forms: [{ pattern: String.raw`\d{10}` }],
    context: { words: ['vergi no', 'vergi kimlik', 'vergi numarası', 'vergi numarasi', 'vkn'] },
    examples: {
      match: [
        { text: 'Vergi No: 4540536920', value: '4540536920' },
        { text: 'VKN 8372610493', value: '8372610493' },
        { text: '1230498576', field: 'vergi_no' },
      ],
      not: ['4540536920', 'VKN 4540536921', 'VKN 45405369200', 'VKN 0000000000'],
    },
  }),
];
