import { beginsWithBirthDate } from '../../checks/calendar-date.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const tanzania: readonly Detector[] = [
  formattedId({
    id: 'TZ_NIDA',
    title: 'Tanzanian national number (NIDA)',
    category: 'direct_identifier',
    country: 'TZ',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    strength: 'format',
    confidence: 0.85,
    forms: [{ pattern: String.raw`\d{8}-\d{5}-\d{5}-\d{2}`, free: true }, { pattern: String.raw`\d{20}` }],
    plausible: beginsWithBirthDate,
    context: { words: ['nida', 'national id', 'nin', 'tanzania'] },
    examples: {
      match: [
        '19850412-11101-00001-23',
        { text: 'NIDA: 19930723-14105-00482-16', value: '19930723-14105-00482-16' },
        { text: '19850412111010000123', field: 'nida' },
      ],
      not: [
        '19851312-11101-00001-23',
        '19850412111010000123',
        '19850412-11101-00001-2',
        '119850412-11101-00001-23',
      ],
    },
  }),
];
