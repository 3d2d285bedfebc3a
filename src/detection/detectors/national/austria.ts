import { abgabenkontoChecks, svnrChecks } from '../../checks/national/alpine.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const austria: readonly Detector[] = [
  formattedId({
    id: 'AT_SOCIAL_SECURITY',
    title: 'Austrian social insurance number (SVNR)',
    category: 'direct_identifier',
    country: 'AT',
    regulations: ['gdpr'],
    risk: 9,
    check: svnrChecks,
    forms: [
      { pattern: String.raw`[1-9]\d{3}[ -]?\d{6}` },
      { pattern: String.raw`[1-9]\d{3}[ /-]\d\d[. ]?\d\d[. ]?\d\d` },
    ],
    context: {
      words: [
        'svnr',
        'sv nr',
        'sv nummer',
        'sozialversicherungsnummer',
        'sozialversicherungsnr',
        'versicherungsnummer',
        'ecard',
      ],
    },
    examples: {
      match: [
        { text: 'SVNR 1237 010180', value: '1237 010180' },
        { text: 'Sozialversicherungsnummer: 4823170391', value: '4823170391' },
        { text: '7815091355', field: 'svnr' },
      ],
      not: ['1237 010180', 'SVNR 1238 010180', 'SVNR 1237 320180', 'SVNR 12370101801'],
    },
  }),
  formattedId({
    id: 'AT_TAX_NUMBER',
    title: 'Austrian tax account number',
    category: 'direct_identifier',
    country: 'AT',
    regulations: ['gdpr'],
    risk: 6,
    check: abgabenkontoChecks,
    forms: [{ pattern: String.raw`\d\d[ -]\d{3}/\d{4}` }, { pattern: String.raw`\d{9}` }],
    context: { words: ['abgabenkontonummer', 'abgabenkonto', 'steuernummer', 'steuernr', 'st nr'] },
    examples: {
      match: [
        { text: 'Steuernummer: 59-119/9013', value: '59-119/9013' },
        { text: 'Abgabenkontonummer 123845711', value: '123845711' },
        { text: '08 217/3642', field: 'steuernummer' },
      ],
      not: ['59-119/9013', 'Steuernummer 59-119/9014', 'Steuernummer 5911990130', 'Steuernummer 000000000'],
    },
  }),
];
