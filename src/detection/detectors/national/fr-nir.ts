import { nirChecks } from '../../checks/france.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Two check digits and a month suffice without a label if it is written in groups, or from Corsica (2A, 2B). */
export const frNir: Detector = formattedId({
  id: 'FR_NIR',
  title: 'French social security number (NIR)',
  category: 'direct_identifier',
  country: 'FR',
  regulations: ['gdpr'],
  risk: 9,
  check: nirChecks,
  forms: [
    { pattern: String.raw`[1-478] \d\d \d\d (?:\d\d|2[AB]) \d{3} \d{3}[ /-]\d\d`, free: true },
    { pattern: String.raw`[1-478]\d{4}2[AB]\d{8}`, free: true },
    { pattern: String.raw`[1-478]\d{12} ?\d\d` },
    { pattern: String.raw`[1-478]\d{4}2[AB]\d{6} \d\d` },
  ],
  context: {
    words: [
      'nir',
      'insee',
      'numéro de sécurité sociale',
      'sécurité sociale',
      'securite sociale',
      'numéro sécu',
      'num secu',
      'num sécu',
      'carte vitale',
      'national id',
      'national identification',
      'national identity',
    ],
  },
  examples: {
    match: [
      '2 95 10 99 126 111 93',
      '279062B03315622',
      { text: 'NIR : 184127645108946', value: '184127645108946' },
      { text: 'No de securite sociale 168052004211719', value: '168052004211719' },
      { text: '273012A21504204', field: 'nir' },
    ],
    not: [
      '2 95 10 99 126 111 94',
      '184127645108946',
      'NIR 184127645108947',
      '2 95 14 99 126 111 93',
      '253072C07300443',
    ],
  },
});
