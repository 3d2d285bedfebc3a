import { steuernummerPlausible } from '../../checks/germany.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Each state has its own grouping and check; the federal form has the state's code and a zero in the fifth position. */
export const deTaxNumber: Detector = formattedId({
  id: 'DE_TAX_NUMBER',
  title: 'German tax number (Steuernummer)',
  category: 'direct_identifier',
  country: 'DE',
  regulations: ['gdpr'],
  risk: 6,
  plausible: steuernummerPlausible,
  forms: [
    { pattern: String.raw`\d{2,3}/\d{3}/\d{4,5}` },
    { pattern: String.raw`\d{3}/\d{4}/\d{4}` },
    { pattern: String.raw`\d{13}` },
  ],
  context: { words: ['steuernummer', 'steuernr', 'st nr', 'st.-nr', 'st.nr'] },
  examples: {
    match: [
      { text: 'Steuernummer: 181/815/08155', value: '181/815/08155' },
      { text: 'St.-Nr. 21/815/08150', value: '21/815/08150' },
      { text: '2181081508155', field: 'steuernummer' },
    ],
    not: [
      '181/815/08155',
      'Steuernummer 000/000/00000',
      'Steuernummer 181/815/081555',
      'Steuernummer 2181481508155',
    ],
  },
});
