import { kimlikChecks } from '../../checks/turkey.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const trKimlik: Detector = formattedId({
  id: 'TR_KIMLIK',
  title: 'Turkish identity number (T.C. kimlik no)',
  category: 'direct_identifier',
  country: 'TR',
  regulations: ['gdpr'],
  risk: 9,
  check: kimlikChecks,
  forms: [{ pattern: String.raw`[1-9]\d{10}` }],
  context: {
    words: [
      'kimlik',
      'tckn',
      'tc no',
      'turkish id',
      'national id',
      'national identification',
      'national identity',
    ],
  },
  examples: {
    match: [
      { text: 'T.C. Kimlik No: 17291716060', value: '17291716060' },
      { text: 'TCKN 28394017206', value: '28394017206' },
      { text: '49581726350', field: 'tc_kimlik_no' },
    ],
    not: ['17291716060', 'TCKN 17291716061', 'TCKN 07291716060', 'TCKN 172917160600'],
  },
});
