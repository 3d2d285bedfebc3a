import { paraguayRucChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const paraguay: readonly Detector[] = [
  formattedId({
    id: 'PY_RUC',
    title: 'Paraguayan tax number (RUC)',
    category: 'direct_identifier',
    country: 'PY',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 5,
    forms: [{ pattern: String.raw`\d{6,8}-\d` }],
    check: paraguayRucChecks,
    context: { words: ['ruc', 'registro unico', 'set paraguay'] },
    examples: {
      match: [
        { text: 'RUC: 80028061-0', value: '80028061-0' },
        { text: 'RUC 3847291-0', value: '3847291-0' },
        { text: '80047182-2', field: 'ruc' },
      ],
      not: ['80028061-0', 'RUC 80028061-1', 'RUC 380028061-0', 'RUC 80028061'],
    },
  }),
];
