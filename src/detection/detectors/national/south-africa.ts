import { southAfricaIdChecks } from '../../checks/national/middle-east-africa.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const southAfrica: readonly Detector[] = [
  formattedId({
    id: 'ZA_ID',
    title: 'South African identity number',
    category: 'direct_identifier',
    country: 'ZA',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{13}` }, { pattern: String.raw`\d{6} \d{4} \d{2} \d` }],
    check: southAfricaIdChecks,
    context: {
      words: ['south africa', 'south african', 'sa id', 'rsa id', 'id number', 'id no', 'identity number'],
    },
    examples: {
      match: [
        { text: 'ID number: 7503305044089', value: '7503305044089' },
        { text: 'SA ID 850412 5182 08 2', value: '850412 5182 08 2' },
        { text: '9307230387086', field: 'sa_id_number' },
      ],
      not: [
        '7503305044089',
        'ID number 7503305044088',
        'ID number 7513305044089',
        'ID number 75033050440890',
      ],
    },
  }),
];
