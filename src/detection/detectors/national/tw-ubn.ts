import { taiwanBusinessChecks } from '../../checks/companies.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const twUbn: Detector = formattedId({
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
});
