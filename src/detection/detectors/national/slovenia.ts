import { jmbgChecks } from '../../checks/national/balkans.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const slovenia: readonly Detector[] = [
  // The Yugoslav number with the regions of Slovenia, 50 to 59.
  formattedId({
    id: 'SI_EMSO',
    title: 'Slovenian EMŠO',
    category: 'direct_identifier',
    country: 'SI',
    regulations: ['gdpr'],
    risk: 9,
    check: jmbgChecks,
    forms: [{ pattern: String.raw`\d{7}5\d{5}` }],
    context: {
      words: [
        'emso',
        'emšo',
        'matična številka',
        'maticna stevilka',
        'national id',
        'national identification',
        'national identity',
      ],
    },
    examples: {
      match: [
        { text: 'EMSO: 0101006500006', value: '0101006500006' },
        { text: 'EMSO 1907001500138', value: '1907001500138' },
        { text: '2205950501012', field: 'emso' },
      ],
      not: [
        '0101006500006',
        'EMSO 0101006500007',
        'EMSO 3201006500006',
        'EMSO 01010065000060',
        'EMSO 0710003730015',
      ],
    },
  }),
];
