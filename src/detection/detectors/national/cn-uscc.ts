import { usccChecks } from '../../checks/china.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

export const cnUscc: Detector = formattedId({
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
    not: ['91310115MA1K4X2B71', '91110000600037341L', 'USCC 91110000600037341M', 'USCC 91110000600037341LX'],
  },
});
