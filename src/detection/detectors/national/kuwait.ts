import { kuwaitCivilIdChecks } from '../../checks/national/middle-east-africa.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const kuwait: readonly Detector[] = [
  formattedId({
    id: 'KW_CIVIL_ID',
    title: 'Kuwaiti civil number',
    category: 'direct_identifier',
    country: 'KW',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`[23]\d{11}` }],
    check: kuwaitCivilIdChecks,
    context: { words: ['civil id', 'civil number', 'kuwait', 'paci'] },
    examples: {
      match: [
        { text: 'Civil ID: 288020122596', value: '288020122596' },
        { text: 'Kuwait civil number 285041201839', value: '285041201839' },
        { text: '301110503812', field: 'civil_id' },
      ],
      not: ['288020122596', 'civil id 288020122597', 'civil id 288130122596', 'civil id 2880201225960'],
    },
  }),
];
