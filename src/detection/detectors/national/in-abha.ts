import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const inAbha: Detector = formattedId({
  id: 'IN_ABHA',
  title: 'Indian health account (ABHA)',
  category: 'health_info',
  country: 'IN',
  regulations: ['hipaa', 'gdpr', 'ccpa'],
  risk: 8,
  forms: [{ pattern: String.raw`\d{2}-\d{4}-\d{4}-\d{4}` }, { pattern: String.raw`\d{14}` }],
  context: { words: ['abha', 'health id', 'ayushman', 'health account'] },
  examples: {
    match: [
      { text: 'ABHA: 91-2837-4650-1928', value: '91-2837-4650-1928' },
      { text: 'ABHA number 14-5829-3746-1029', value: '14-5829-3746-1029' },
      { text: '91283746501928', field: 'abha_number' },
    ],
    not: ['91-2837-4650-1928', 'ABHA 91-2837-4650-192', '91283746501928', 'ABHA 912837465019283'],
  },
});
