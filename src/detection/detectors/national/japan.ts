import { corporateNumberChecks, myNumberChecks } from '../../checks/national/east-asia.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const japan: readonly Detector[] = [
  formattedId({
    id: 'JP_CORPORATE_NUMBER',
    title: 'Japanese corporate number',
    category: 'quasi_identifier',
    country: 'JP',
    regulations: [],
    risk: 3,
    forms: [
      { pattern: String.raw`T?\d{13}`, begins: COMPACT },
      { pattern: String.raw`\d-\d{4}-\d{4}-\d{4}` },
    ],
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
  }),
  formattedId({
    id: 'JP_MY_NUMBER',
    title: 'Japanese individual number (My Number)',
    category: 'direct_identifier',
    country: 'JP',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [
      { pattern: String.raw`\d{4} \d{4} \d{4}` },
      { pattern: String.raw`\d{4}-\d{4}-\d{4}` },
      { pattern: String.raw`\d{12}` },
    ],
    check: myNumberChecks,
    context: { words: ['my number', 'individual number', 'kojin bango', 'mynumber'] },
    examples: {
      match: [
        { text: 'My Number: 4738 2910 5646', value: '4738 2910 5646' },
        { text: 'individual number 1234-5678-9018', value: '1234-5678-9018' },
        { text: '827364510928', field: 'my_number' },
      ],
      not: ['4738 2910 5646', 'My Number 4738 2910 5647', '827364510928', 'my number 8273645109280'],
    },
  }),
  formattedId({
    id: 'JP_RESIDENCE_CARD',
    title: 'Japanese residence card',
    category: 'direct_identifier',
    country: 'JP',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.85,
    forms: [{ pattern: String.raw`[A-Z]{2}\d{8}[A-Z]{2}`, begins: COMPACT }],
    context: { words: ['residence card', 'zairyu', 'zairyu card'] },
    examples: {
      match: [
        { text: 'Residence card: AB12345678CD', value: 'AB12345678CD' },
        { text: 'zairyu card no. SE83746512LA', value: 'SE83746512LA' },
        { text: 'UH19283746ZX', field: 'residence_card_number' },
      ],
      not: [
        'AB12345678CD',
        'residence card AB1234567CD',
        'residence card AB123456789CD',
        'residence card A123456789CD',
      ],
    },
  }),
];
