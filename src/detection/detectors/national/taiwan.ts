import { taiwanBusinessChecks } from '../../checks/national/companies.ts';
import { taiwanIdChecks } from '../../checks/national/east-asia.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const taiwan: readonly Detector[] = [
  formattedId({
    id: 'TW_ID',
    title: 'Taiwanese identity number',
    category: 'direct_identifier',
    country: 'TW',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`[A-Z][1289]\d{8}`, begins: COMPACT }],
    check: taiwanIdChecks,
    context: {
      words: ['taiwan', 'taiwan id', 'national id', 'roc id', 'arc', 'resident certificate', 'shenfenzheng'],
    },
    examples: {
      match: [
        { text: 'Taiwan ID: F131104093', value: 'F131104093' },
        { text: 'National ID B283746510', value: 'B283746510' },
        { text: 'A800123450', field: 'national_id' },
      ],
      not: ['F131104093', 'Taiwan ID F131104094', 'Taiwan ID F531104093', 'Taiwan ID F1311040930'],
    },
  }),
  formattedId({
    id: 'TW_UBN',
    title: 'Taiwanese uniform number',
    category: 'quasi_identifier',
    country: 'TW',
    regulations: [],
    risk: 3,
    forms: [{ pattern: String.raw`\d{8}` }],
    check: taiwanBusinessChecks,
    context: { words: ['ubn', 'uniform number', 'unified business', 'tongyi bianhao', 'tax id taiwan'] },
    examples: {
      match: [
        { text: 'UBN: 22099131', value: '22099131' },
        { text: 'Unified business number 24839170', value: '24839170' },
        { text: '04595257', field: 'ubn' },
      ],
      not: ['22099131', 'UBN 22099132', 'UBN 220991311', '04595257'],
    },
  }),
];
