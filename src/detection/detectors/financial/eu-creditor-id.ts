import { isCountry } from '../../checks/country.ts';
import { creditorChecks } from '../../checks/creditor.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const euCreditorId: Detector = formattedId({
  id: 'EU_CREDITOR_ID',
  title: 'SEPA creditor identifier',
  category: 'financial',
  regulations: ['gdpr'],
  risk: 3,
  context: {
    words: [
      'creditor',
      'creditor id',
      'creditor identifier',
      'glaubiger id',
      'glaeubiger id',
      'sepa',
      'ics',
      'mandate',
      'mandat',
    ],
  },
  forms: [
    // ZZZ is what most leave the business code at.
    { pattern: String.raw`[A-Z]{2}\d\dZZZ[A-Z0-9]{6,28}`, free: true },
    { pattern: String.raw`[A-Z]{2}\d\d[A-Z0-9]{3}[A-Z0-9]{6,28}` },
  ],
  check: creditorChecks,
  plausible: (plain) => isCountry(plain.slice(0, 2)),
  examples: {
    match: [
      'DE98ZZZ09999999999',
      { text: 'Glaeubiger-ID: DE98ABC09999999999', value: 'DE98ABC09999999999' },
      { text: 'DE98ZZZ09999999999', field: 'creditor_id' },
    ],
    not: ['DE99ZZZ09999999999', 'DE98ABC09999999999', 'ADE98ZZZ09999999999', 'DE98ZZZ0999999999'],
  },
});
