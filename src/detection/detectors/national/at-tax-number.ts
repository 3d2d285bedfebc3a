import { abgabenkontoChecks } from '../../checks/alpine.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const atTaxNumber: Detector = formattedId({
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
});
