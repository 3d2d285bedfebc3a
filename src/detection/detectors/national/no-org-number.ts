import { orgNumberChecks } from '../../checks/nordic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const noOrgNumber: Detector = formattedId({
  id: 'NO_ORG_NUMBER',
  title: 'Norwegian organisation number',
  category: 'quasi_identifier',
  country: 'NO',
  regulations: ['gdpr'],
  risk: 2,
  check: orgNumberChecks,
  forms: [{ pattern: String.raw`[89]\d{8}` }, { pattern: String.raw`[89]\d\d \d{3} \d{3}` }],
  context: { words: ['organisasjonsnummer', 'organisasjonsnr', 'org nr', 'org.nr', 'org nummer'] },
  examples: {
    match: [
      { text: 'Org.nr. 988 077 917', value: '988 077 917' },
      { text: 'Organisasjonsnummer: 974760673', value: '974760673' },
      { text: '988077917', field: 'orgnr' },
    ],
    not: ['988077917', 'Orgnr 988077918', 'Orgnr 9880779170', 'Orgnr 388077917'],
  },
});
