import { ppsChecks } from '../../checks/national/britain-ireland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const ireland: readonly Detector[] = [
  formattedId({
    id: 'IE_PPS',
    title: 'Irish PPS number',
    category: 'direct_identifier',
    country: 'IE',
    regulations: ['gdpr'],
    risk: 9,
    check: ppsChecks,
    forms: [{ pattern: String.raw`\d{7} ?[A-W][A-IWTX]?` }],
    context: {
      words: [
        'pps',
        'ppsn',
        'personal public service',
        'national id',
        'national identification',
        'national identity',
      ],
    },
    examples: {
      match: [
        { text: 'PPS number: 6433435F', value: '6433435F' },
        { text: 'PPSN 8472615FA', value: '8472615FA' },
        { text: '1928374C', field: 'pps_no' },
      ],
      not: ['6433435F', 'PPS number 6433435E', 'PPS number 64334355F', 'PPSN 0000000W'],
    },
  }),
];
