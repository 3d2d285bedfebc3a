import { brnChecks, rrnChecks } from '../../checks/national/east-asia.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const southKorea: readonly Detector[] = [
  formattedId({
    id: 'KR_BRN',
    title: 'Korean business number',
    category: 'quasi_identifier',
    country: 'KR',
    regulations: [],
    risk: 3,
    forms: [{ pattern: String.raw`\d{3}-\d{2}-\d{5}` }, { pattern: String.raw`\d{10}` }],
    check: brnChecks,
    context: { words: ['brn', 'business registration', 'business registration number', 'saeopja'] },
    examples: {
      match: [
        { text: 'Business registration number: 124-81-00998', value: '124-81-00998' },
        { text: 'BRN 128-81-45376', value: '128-81-45376' },
        { text: '2208162517', field: 'business_registration_no' },
      ],
      not: ['124-81-00998', 'BRN 124-81-00997', '2208162517', 'BRN 124-81-009980'],
    },
  }),
  formattedId({
    id: 'KR_RRN',
    title: 'Korean resident number',
    category: 'direct_identifier',
    country: 'KR',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{6}-[0-9]\d{6}`, free: true }, { pattern: String.raw`\d{13}` }],
    check: rrnChecks,
    context: {
      words: [
        'rrn',
        'resident registration',
        'resident registration number',
        'jumin',
        'alien registration',
        'arc',
      ],
    },
    examples: {
      match: [
        '880412-2748514',
        { text: 'RRN: 910723-1839471', value: '910723-1839471' },
        { text: '8804122748514', field: 'resident_registration_number' },
        { text: 'foreigner 850914-5839219', value: '850914-5839219' },
      ],
      not: ['880412-2748515', '881412-2748514', '8804122748514', '1880412-2748514', '880412-27485140'],
    },
  }),
];
