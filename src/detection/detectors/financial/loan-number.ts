import type { Detector } from '../../detector.ts';
import { idTokens, labelledId } from '../../families/labelled-id.ts';

export const loanNumber: Detector = labelledId({
  id: 'LOAN_NUMBER',
  title: 'Loan or mortgage number',
  category: 'financial',
  regulations: ['glba', 'ccpa'],
  risk: 6,
  confidence: 0.75,
  prefilters: [...idTokens([6, 15], [7, 16]), { pattern: String.raw`\b[A-Z]{1,4}-\d{5,12}` }],
  shape: /^(?:\d{6,15}|[A-Z]{1,4}-?\d{5,12}|\d{2,6}-\d{4,10})$/,
  plausible: (value) => !/^(?:19|20)\d\d-?[01]\d-?[0-3]\d$/.test(value),
  context: {
    words: [
      'loan number',
      'loan no',
      'loan id',
      'loan account',
      'loan acct',
      'mortgage number',
      'mortgage no',
      'mortgage account',
      'mortgage id',
      'lease number',
      'credit line number',
      'student loan',
    ],
  },
  examples: {
    match: [
      { text: 'Loan number: 0048392017', value: '0048392017' },
      { text: 'mortgage account LN-4839201', value: 'LN-4839201' },
      { text: 'ABC00483920', field: 'loan_id' },
    ],
    not: ['0048392017', 'loan number 12345', 'loan number 2024-01-31', 'loan of 4839201 dollars'],
  },
});
