import { medicareChecks } from '../../checks/oceania.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const auMedicare: Detector = formattedId({
  id: 'AU_MEDICARE',
  title: 'Australian Medicare card',
  category: 'health_info',
  country: 'AU',
  regulations: ['hipaa', 'gdpr', 'ccpa'],
  risk: 8,
  forms: [
    { pattern: String.raw`[2-6]\d{3} \d{5} \d(?:[ /]\d)?` },
    { pattern: String.raw`[2-6]\d{3}-\d{5}-\d(?:[/-]\d)?` },
    { pattern: String.raw`[2-6]\d{9,10}` },
  ],
  check: medicareChecks,
  context: { words: ['medicare', 'medicare card', 'medicare no', 'medicare number'] },
  examples: {
    match: [
      { text: 'Medicare: 3948 17260 1', value: '3948 17260 1' },
      { text: 'Medicare card 2123 45670 1', value: '2123 45670 1' },
      { text: '2428778132', field: 'medicare_number' },
    ],
    not: [
      '3948 17260 1',
      '2428778132',
      'Medicare 3948 17261 1',
      'Medicare 7948 17260 1',
      'Medicare 394817260123',
    ],
  },
});
