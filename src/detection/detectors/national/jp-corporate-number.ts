import { corporateNumberChecks } from '../../checks/japan-korea.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

export const jpCorporateNumber: Detector = formattedId({
  id: 'JP_CORPORATE_NUMBER',
  title: 'Japanese corporate number',
  category: 'quasi_identifier',
  country: 'JP',
  regulations: [],
  risk: 3,
  forms: [{ pattern: String.raw`T?\d{13}`, begins: COMPACT }, { pattern: String.raw`\d-\d{4}-\d{4}-\d{4}` }],
  check: (plain) => corporateNumberChecks(plain.slice(-13)),
  context: { words: ['corporate number', 'hojin bango', 'invoice registration', 'qualified invoice'] },
  examples: {
    match: [
      { text: 'Corporate number: 7000012050002', value: '7000012050002' },
      { text: 'hojin bango 5-8356-7825-6246', value: '5-8356-7825-6246' },
      { text: '1180301018771', field: 'corporate_number' },
      { text: 'invoice registration T8700110005901', value: 'T8700110005901' },
    ],
    not: [
      '7000012050002',
      'corporate number 8000012050002',
      'corporate number 70000120500021',
      '1180301018771',
    ],
  },
});
