import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

export const inTan: Detector = formattedId({
  id: 'IN_TAN',
  title: 'Indian tax deduction account',
  category: 'quasi_identifier',
  country: 'IN',
  regulations: [],
  risk: 3,
  forms: [{ pattern: String.raw`[A-Z]{4}\d{5}[A-Z]`, begins: COMPACT }],
  context: { words: ['tan', 'tan no', 'tan number', 'tax deduction'] },
  examples: {
    match: [
      { text: 'TAN: MUMA12345B', value: 'MUMA12345B' },
      { text: 'TAN no DELC98765E', value: 'DELC98765E' },
      { text: 'BLRT04821K', field: 'tan_number' },
    ],
    not: ['MUMA12345B', 'TAN MUMA1234B', 'TAN MUM112345B', 'TAN MUMA12345BC'],
  },
});
