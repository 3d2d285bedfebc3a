import { residentIdChecks, usccChecks } from '../../checks/national/east-asia.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const china: readonly Detector[] = [
  // Area, an existing date and the check together leave one in a hundred thousand numbers of eighteen digits.
  formattedId({
    id: 'CN_RESIDENT_ID',
    title: 'Chinese resident identity',
    category: 'direct_identifier',
    country: 'CN',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.9,
    forms: [{ pattern: String.raw`[1-9]\d{5}(?:18|19|20)\d{9}[\dXx]`, free: true }],
    check: residentIdChecks,
    context: {
      words: [
        'resident id',
        'resident identity',
        'shenfenzheng',
        'sfz',
        'id card',
        'identity card',
        'id number',
      ],
    },
    examples: {
      match: [
        '11010519491231002X',
        { text: 'id card 310104199003072734', value: '310104199003072734' },
        { text: '440306198511234515', field: 'id_number' },
      ],
      not: [
        '110105194912310020',
        '11010519491331002X',
        '170105194912310022',
        '1110105194912310025',
        '3101041990030727340',
      ],
    },
  }),
  formattedId({
    id: 'CN_USCC',
    title: 'Chinese social credit code',
    category: 'quasi_identifier',
    country: 'CN',
    regulations: [],
    risk: 3,
    forms: [
      { pattern: String.raw`9[1-3]\d{6}MA[0-9A-HJ-NPQRTUWXY]{8}`, free: true },
      { pattern: String.raw`[1-9AN-Y][1-9]\d{6}[0-9A-HJ-NPQRTUWXY]{10}`, begins: COMPACT },
    ],
    check: usccChecks,
    context: { words: ['uscc', 'social credit', 'unified social credit', 'credit code', 'tongyi shehui'] },
    examples: {
      match: [
        '91310115MA1K4X2B70',
        { text: 'Unified social credit code: 91110000600037341L', value: '91110000600037341L' },
        { text: '914403001922038216', field: 'credit_code' },
      ],
      not: [
        '91310115MA1K4X2B71',
        '91110000600037341L',
        'USCC 91110000600037341M',
        'USCC 91110000600037341LX',
      ],
    },
  }),
];
