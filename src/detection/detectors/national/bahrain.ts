import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const bahrain: readonly Detector[] = [
  // Year and month of birth, then a serial number and a digit.
  formattedId({
    id: 'BH_CPR',
    title: 'Bahraini personal number (CPR)',
    category: 'direct_identifier',
    country: 'BH',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{9}` }],
    plausible: hasBirthMonth,
    context: { words: ['cpr', 'cpr no', 'bahrain id'] },
    examples: {
      match: [
        { text: 'CPR: 850412345', value: '850412345' },
        { text: 'Bahrain CPR no 930723849', value: '930723849' },
        { text: '780919283', field: 'cpr' },
      ],
      not: ['850412345', 'CPR 851312345', 'CPR 85041234', 'CPR 8504123456'],
    },
  }),
];

function hasBirthMonth(cpr: string): boolean {
  const month = Number(cpr.slice(2, 4));
  return month >= 1 && month <= 12;
}
