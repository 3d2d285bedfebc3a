import { rifChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const venezuela: readonly Detector[] = [
  formattedId({
    id: 'VE_RIF',
    title: 'Venezuelan tax number (RIF)',
    category: 'direct_identifier',
    country: 'VE',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 6,
    forms: [
      { pattern: String.raw`[VEJPGC]-\d{8}-\d`, free: true },
      { pattern: String.raw`[VEJPGC]\d{8}-?\d`, begins: COMPACT },
    ],
    check: rifChecks,
    context: { words: ['rif', 'registro de informacion fiscal', 'seniat'] },
    examples: {
      match: [
        'J-30468971-3',
        { text: 'RIF: V-11470283-4', value: 'V-11470283-4' },
        { text: 'J070133805', field: 'rif' },
      ],
      not: ['J-30468971-4', 'J304689713', 'RIF J304689714', 'X-30468971-3', 'AJ-30468971-3'],
    },
  }),
];
