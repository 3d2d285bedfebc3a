import { organisationsnummerChecks } from '../../checks/nordic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const seOrgNumber: Detector = formattedId({
  id: 'SE_ORG_NUMBER',
  title: 'Swedish organisation number',
  category: 'quasi_identifier',
  country: 'SE',
  regulations: ['gdpr'],
  risk: 2,
  check: organisationsnummerChecks,
  forms: [{ pattern: String.raw`[1-9]\d[2-9]\d{3}-?\d{4}` }],
  context: { words: ['organisationsnummer', 'organisationsnr', 'org nr', 'org.nr', 'org nummer'] },
  examples: {
    match: [
      { text: 'Organisationsnummer: 556036-0793', value: '556036-0793' },
      { text: 'org nr 5560125790', value: '5560125790' },
      { text: '202100-5489', field: 'orgnr' },
    ],
    not: [
      '556036-0793',
      'Organisationsnummer 556036-0794',
      'Organisationsnummer 811218-9876',
      'Organisationsnummer 55603607930',
    ],
  },
});
