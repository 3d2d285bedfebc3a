import { iranCodeChecks } from '../../checks/national/middle-east-africa.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const iran: readonly Detector[] = [
  formattedId({
    id: 'IR_NATIONAL_CODE',
    title: 'Iranian national code',
    category: 'direct_identifier',
    country: 'IR',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{10}` }, { pattern: String.raw`\d{3}-\d{6}-\d` }],
    check: iranCodeChecks,
    context: {
      words: ['code melli', 'codemelli', 'kod melli', 'shomare melli', 'iranian national', 'national code'],
    },
    examples: {
      match: [
        { text: 'Code melli: 0483927163', value: '0483927163' },
        { text: 'national code 007-294831-0', value: '007-294831-0' },
        { text: '0084575948', field: 'national_code' },
      ],
      not: ['0483927163', 'code melli 0483927164', 'code melli 04839271630', 'code melli 0000000000'],
    },
  }),
];
