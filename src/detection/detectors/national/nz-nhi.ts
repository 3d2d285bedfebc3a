import { nhiChecks } from '../../checks/oceania.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

/** A leading Z is reserved for tests. */
export const nzNhi: Detector = formattedId({
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
});
