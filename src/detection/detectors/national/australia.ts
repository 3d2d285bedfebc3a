import { luhn } from '../../checks/check-digits.ts';
import { abnChecks, acnChecks, medicareChecks, tfnChecks } from '../../checks/national/oceania.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const australia: readonly Detector[] = [
  formattedId({
    id: 'AU_ABN',
    title: 'Australian business number',
    category: 'quasi_identifier',
    country: 'AU',
    regulations: [],
    risk: 3,
    forms: [{ pattern: String.raw`\d{2} \d{3} \d{3} \d{3}` }, { pattern: String.raw`\d{11}` }],
    check: abnChecks,
    context: { words: ['abn', 'australian business', 'australian business number'] },
    examples: {
      match: [
        { text: 'ABN: 51 824 753 556', value: '51 824 753 556' },
        { text: 'ABN 83 914 571 673', value: '83 914 571 673' },
        { text: '83914571673', field: 'abn' },
      ],
      not: ['51 824 753 556', 'ABN 51 824 753 557', '51824753556', 'ABN 518247535560'],
    },
  }),
  formattedId({
    id: 'AU_ACN',
    title: 'Australian company number',
    category: 'quasi_identifier',
    country: 'AU',
    regulations: [],
    risk: 3,
    forms: [{ pattern: String.raw`\d{3} \d{3} \d{3}` }, { pattern: String.raw`\d{9}` }],
    check: acnChecks,
    context: { words: ['acn', 'arbn', 'australian company', 'australian company number'] },
    examples: {
      match: [
        { text: 'ACN: 004 085 616', value: '004 085 616' },
        { text: 'A.C.N. or ACN 102 417 032', value: '102 417 032' },
        { text: '008124794', field: 'acn' },
      ],
      not: ['004 085 616', 'ACN 004 085 617', '008124794', 'ACN 0040856160'],
    },
  }),
  // 800360 is the issuer: no card begins so.
  formattedId({
    id: 'AU_IHI',
    title: 'Australian health identifier',
    category: 'health_info',
    country: 'AU',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    forms: [
      { pattern: String.raw`800360\d{10}`, free: true },
      { pattern: String.raw`8003 60\d{2} \d{4} \d{4}`, free: true },
    ],
    check: luhn,
    context: { words: ['ihi', 'healthcare identifier', 'individual healthcare'] },
    examples: {
      match: [
        '8003608166690008',
        { text: 'IHI 8003 6028 4756 1027', value: '8003 6028 4756 1027' },
        { text: '8003601938475402', field: 'ihi' },
      ],
      not: ['8003608166690009', '8003618166690008', '18003608166690008', '8003 6028 4756 1028'],
    },
  }),
  formattedId({
    id: 'AU_MEDICARE',
    title: 'Australian Medicare card',
    category: 'health_info',
    country: 'AU',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    forms: [
      { pattern: String.raw`[2-6]\d{3} \d{5} \d(?:[ /]\d)?` },
      { pattern: String.raw`[2-6]\d{3}-\d{5}-\d(?:[/-]\d)?` },
      { pattern: String.raw`[2-6]\d{9,10}` },
    ],
    check: medicareChecks,
    context: { words: ['medicare', 'medicare card', 'medicare no', 'medicare number'] },
    examples: {
      match: [
        { text: 'Medicare: 3948 17260 1', value: '3948 17260 1' },
        { text: 'Medicare card 2123 45670 1', value: '2123 45670 1' },
        { text: '2428778132', field: 'medicare_number' },
      ],
      not: [
        '3948 17260 1',
        '2428778132',
        'Medicare 3948 17261 1',
        'Medicare 7948 17260 1',
        'Medicare 394817260123',
      ],
    },
  }),
  formattedId({
    id: 'AU_TFN',
    title: 'Australian tax file number',
    category: 'direct_identifier',
    country: 'AU',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 9,
    forms: [
      { pattern: String.raw`\d{3} \d{3} \d{3}` },
      { pattern: String.raw`\d{3}-\d{3}-\d{3}` },
      { pattern: String.raw`\d{9}` },
    ],
    check: tfnChecks,
    context: { words: ['tfn', 'tax file', 'tax file number'] },
    examples: {
      match: [
        { text: 'TFN: 648 319 726', value: '648 319 726' },
        { text: 'Tax file number 365-218-745', value: '365-218-745' },
        { text: '648319726', field: 'tfn' },
      ],
      not: ['648 319 726', 'TFN 648 319 727', '648319726', 'TFN 6483197260'],
    },
  }),
];
