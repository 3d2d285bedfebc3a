import { hkidChecks } from '../../checks/national/east-asia.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const hongKong: readonly Detector[] = [
  formattedId({
    id: 'HK_ID',
    title: 'Hong Kong identity card',
    category: 'direct_identifier',
    country: 'HK',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [
      { pattern: String.raw`[A-Z]{1,2}\d{6}\([\dA]\)`, free: true },
      { pattern: String.raw`[A-Z]{1,2}\d{6}[\dA]`, begins: COMPACT },
    ],
    check: hkidChecks,
    context: { words: ['hkid', 'hkic', 'hong kong id', 'hong kong identity', 'id card', 'identity card'] },
    examples: {
      match: [
        'C123456(9)',
        { text: 'HKID: L555555(0)', value: 'L555555(0)' },
        { text: 'K4829174', field: 'hkid' },
        { text: 'id card WX3827125', value: 'WX3827125' },
      ],
      not: ['C123456(8)', 'K4829174', 'HKID K4829175', 'AAC123456(9)', 'f(x)=A123(4)'],
    },
  }),
];
