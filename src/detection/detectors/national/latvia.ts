import { personasKodsChecks } from '../../checks/national/baltic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const latvia: readonly Detector[] = [
  formattedId({
    id: 'LV_PERSONAS_KODS',
    title: 'Latvian personal code',
    category: 'direct_identifier',
    country: 'LV',
    regulations: ['gdpr'],
    risk: 9,
    confidence: 0.8,
    check: personasKodsChecks,
    forms: [{ pattern: String.raw`\d{6}-[012]\d{4}`, free: true }, { pattern: String.raw`\d{6}[012]\d{4}` }],
    context: {
      words: [
        'personas kods',
        'personas kodu',
        'national id',
        'national identification',
        'national identity',
      ],
      avoid: ['order', 'tel', 'konts'],
    },
    examples: {
      match: [
        '161175-19997',
        { text: 'Personas kods: 230485-11726', value: '230485-11726' },
        { text: '09110211046', field: 'personas_kods' },
      ],
      not: ['161175-19998', '16117519997', '161375-19997', '161175-39997', 'Personas kods 161175-199970'],
    },
  }),
];
