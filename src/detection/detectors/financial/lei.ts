import { mod97 } from '../../checks/mod97.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const lei: Detector = formattedId({
  id: 'LEI',
  title: 'Legal entity identifier',
  category: 'financial',
  regulations: ['glba'],
  risk: 2,
  context: { words: ['lei', 'lei code', 'legal entity', 'legal entity identifier', 'gleif'] },
  forms: [
    // ISO 17442: issuer of four digits and two zeros; the earliest ones, issued before the standard, have neither.
    { pattern: String.raw`\d{4}00[A-Z0-9]{12}\d{2}`, free: true },
    { pattern: String.raw`[A-Z0-9]{18}\d{2}` },
  ],
  check: (plain) => plain.length === 20 && mod97(plain) === 1,
  plausible: (plain) => /[A-Z]/.test(plain),
  examples: {
    match: [
      { text: 'LEI: 5493006MHB84DD0ZWV18', value: '5493006MHB84DD0ZWV18' },
      { text: '529900T8BM49AURSDO55', field: 'lei' },
      '529900T8BM49AURSDO55',
      { text: 'Legal entity identifier HWUPKR0MPOU8FGXBT394', value: 'HWUPKR0MPOU8FGXBT394' },
    ],
    not: [
      '5493006MHB84DD0ZWV19',
      'LEI 5493006MHB84DD0ZWV19',
      'HWUPKR0MPOU8FGXBT394',
      '5493006MHB84DD0ZWV180',
      'LEI 5493006MHB84DD0ZWV1',
    ],
  },
});
