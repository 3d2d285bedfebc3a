import { standsAlone, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { adjacentLabel } from '../../families/ids/adjacent-label.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const WORDS = [
  'salary',
  'salaries',
  'base salary',
  'annual salary',
  'gross salary',
  'annual income',
  'gross income',
  'monthly income',
  'household income',
  'personal income',
  'wage',
  'hourly rate',
  'hourly wage',
  'base pay',
  'gross pay',
  'net pay',
  'take home pay',
  'annual pay',
  'total compensation',
  'annual compensation',
  'remuneration',
  'gehalt',
  'bruttogehalt',
  'nettogehalt',
  'jahresgehalt',
  'salaire',
  'sueldo',
  'salario',
  'stipendio',
];
const beside = adjacentLabel(WORDS);
const AMOUNT = /^(?:\d{1,3}(?:[,.']\d{3}){1,3}|\d{2,9})(?:[.,]\d{1,2})?(?! ?%)(?: ?[kK](?![A-Za-z]))?/;
/** Signs of currencies as the bytes of UTF-8: € £ ¥ ₹. */
const BEFORE =
  /(?:\$|\xe2\x82\xac|\xc2\xa3|\xc2\xa5|\xe2\x82\xb9|\b(?:USD|EUR|GBP|CHF|CAD|AUD|INR|Rs\.?)) ?$/;
const AFTER =
  /^ ?(?:\xe2\x82\xac|\xc2\xa3|USD|EUR|GBP|CHF|CAD|AUD|(?:per|an?) (?:year|annum|month|hour|week)|p\.a\.|\/ ?(?:yr|year|month|mo|hr|hour)|annually|monthly)/;

export const salary: Detector = {
  id: 'SALARY',
  title: 'What somebody earns',
  category: 'financial',
  strength: 'context',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 5,
  prefilters: [
    { pattern: String.raw`\b\d{1,3}[,.']\d{2,3}`, labelled: true },
    { pattern: String.raw`\b\d{2,9}`, labelled: true },
  ],
  confidence: 0.7,
  context: { words: WORDS },
  verify(bytes, at, match) {
    const amount = AMOUNT.exec(textOf(bytes, at, at + 24))?.[0];
    if (amount === undefined) return rejectMatch(match, 'form');
    const end = at + amount.length;
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    if (!match.hasLabel(at)) return rejectMatch(match, 'label');
    const currency = BEFORE.exec(textOf(bytes, at - 8, at))?.[0] ?? '';
    const money = currency !== '' || /k$/i.test(amount) || AFTER.test(textOf(bytes, end, end + 16));
    if (!money && (!beside(bytes, at, end) || !amountLike(amount))) return rejectMatch(match, 'currency');
    return acceptMatch(match, at - currency.length, end, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 0, 0),
  examples: {
    match: [
      { text: 'Annual salary: $85,000', value: '$85,000' },
      { text: 'base salary of EUR 72.500 from May', value: 'EUR 72.500' },
      { text: 'her salary was raised to 95k', value: '95k' },
      { text: '64000', field: 'gross_salary' },
      { text: 'hourly rate $37.50', value: '$37.50' },
    ],
    not: [
      '$85,000',
      'salary 2024',
      'salary review in 90 days',
      'salary raised by 12 %',
      'salary table 12.1.3',
    ],
  },
};

/** Without a currency: at least four digits, and not a year. */
function amountLike(amount: string): boolean {
  const digits = amount.replace(/[.,]\d{1,2}$/, '').replace(/\D/g, '');
  return digits.length >= 4 && !/^(?:19|20)\d\d$/.test(digits);
}
