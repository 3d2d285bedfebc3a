import { snilsChecks } from '../../checks/eastern.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';
import { nativelyLabelled } from '../../families/native-label.ts';

export const ruSnils: Detector = nativelyLabelled(
  ['снилс'],
  formattedId({
    id: 'RU_SNILS',
    title: 'Russian pension insurance number (SNILS)',
    category: 'direct_identifier',
    country: 'RU',
    regulations: ['gdpr'],
    risk: 9,
    confidence: 0.9,
    check: snilsChecks,
    forms: [
      { pattern: String.raw`\d{3}-\d{3}-\d{3}[ -]\d\d`, free: true },
      { pattern: String.raw`\d{11}` },
      { pattern: String.raw`\d{3} \d{3} \d{3} \d\d` },
    ],
    context: { words: ['snils'] },
    examples: {
      match: [
        { text: 'СНИЛС № 08728491311', value: '08728491311' },
        '112-233-445 95',
        { text: 'SNILS: 08728491311', value: '08728491311' },
        { text: '158-362-047 75', field: 'snils' },
      ],
      not: ['112-233-445 96', '11223344595', '000-000-000 00', 'SNILS 087284913110'],
    },
  }),
);
