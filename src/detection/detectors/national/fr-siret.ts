import { siretChecks } from '../../checks/france.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const frSiret: Detector = formattedId({
  id: 'FR_SIRET',
  title: 'French company number (SIREN or SIRET)',
  category: 'quasi_identifier',
  country: 'FR',
  regulations: ['gdpr'],
  risk: 2,
  check: siretChecks,
  forms: [
    { pattern: String.raw`\d{3} \d{3} \d{3}(?: \d{5})?` },
    { pattern: String.raw`\d{14}` },
    { pattern: String.raw`\d{9}` },
  ],
  context: { words: ['siret', 'siren', 'rcs'] },
  examples: {
    match: [
      { text: 'SIRET : 73282932000074', value: '73282932000074' },
      { text: 'SIREN 732 829 320', value: '732 829 320' },
      { text: '552 100 554', field: 'siren' },
    ],
    not: ['73282932000074', 'SIRET 73282932000075', 'SIREN 7328293200', 'SIREN 000 000 000'],
  },
});
