import { ticChecks } from '../../checks/national/southern-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const cyprus: readonly Detector[] = [
  formattedId({
    id: 'CY_TIC',
    title: 'Cypriot tax identification code',
    category: 'direct_identifier',
    country: 'CY',
    regulations: ['gdpr'],
    risk: 6,
    check: ticChecks,
    forms: [{ pattern: String.raw`\d{8}[A-Z]` }],
    context: { words: ['tic', 'tax identification code', 'cyprus tax', 'cyprus vat'] },
    examples: {
      match: [
        { text: 'TIC: 10259033P', value: '10259033P' },
        { text: 'Tax Identification Code 00284719N', value: '00284719N' },
        { text: '60017382G', field: 'tic' },
      ],
      not: ['10259033P', 'TIC 10259033Q', 'TIC 12259033P', 'TIC 102590330P'],
    },
  }),
];
