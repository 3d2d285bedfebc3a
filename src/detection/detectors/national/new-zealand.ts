import { irdChecks, nhiChecks } from '../../checks/national/oceania.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const newZealand: readonly Detector[] = [
  formattedId({
    id: 'NZ_IRD',
    title: 'New Zealand tax number',
    category: 'direct_identifier',
    country: 'NZ',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 8,
    forms: [
      { pattern: String.raw`\d{2,3}-\d{3}-\d{3}` },
      { pattern: String.raw`\d{2,3} \d{3} \d{3}` },
      { pattern: String.raw`\d{8,9}` },
    ],
    check: irdChecks,
    context: { words: ['ird', 'inland revenue', 'ird no', 'ird number'] },
    examples: {
      match: [
        { text: 'IRD: 49-091-850', value: '49-091-850' },
        { text: 'IRD number 136-410-132', value: '136-410-132' },
        { text: '35901981', field: 'ird_number' },
      ],
      not: ['49-091-850', 'IRD 49-091-851', '35901981', 'IRD 136-410-133', 'IRD 9-125-568'],
    },
  }),
  // A leading Z is reserved for tests.
  formattedId({
    id: 'NZ_NHI',
    title: 'New Zealand health index',
    category: 'health_info',
    country: 'NZ',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    forms: [
      { pattern: String.raw`[A-HJ-NP-Y][A-HJ-NP-Z]{2}\d{4}`, begins: COMPACT },
      { pattern: String.raw`[A-HJ-NP-Y][A-HJ-NP-Z]{2}\d{2}[A-HJ-NP-Z]{2}`, begins: COMPACT },
    ],
    check: nhiChecks,
    context: { words: ['nhi', 'nhi no', 'nhi number', 'national health index'] },
    examples: {
      match: [
        { text: 'NHI: WLD9413', value: 'WLD9413' },
        { text: 'NHI number JKL4721', value: 'JKL4721' },
        { text: 'ABC12DS', field: 'patient_nhi' },
      ],
      not: ['WLD9413', 'NHI WLD9414', 'NHI ZZZ0016', 'NHI WLD94130', 'NHI WLI9413'],
    },
  }),
];
