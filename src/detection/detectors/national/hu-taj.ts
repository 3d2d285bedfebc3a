import { tajChecks } from '../../checks/hungary.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const huTaj: Detector = formattedId({
  id: 'HU_TAJ',
  title: 'Hungarian social security number (TAJ)',
  category: 'direct_identifier',
  country: 'HU',
  regulations: ['gdpr'],
  risk: 9,
  check: tajChecks,
  forms: [{ pattern: String.raw`\d{3}[ -]\d{3}[ -]\d{3}` }, { pattern: String.raw`\d{9}` }],
  context: { words: ['taj'] },
  examples: {
    match: [
      { text: 'TAJ szam: 081 726 439', value: '081 726 439' },
      { text: 'TAJ: 392817460', value: '392817460' },
      { text: '081-726-439', field: 'taj_szam' },
    ],
    not: ['081 726 439', 'TAJ 081 726 438', 'TAJ 111 111 110', 'TAJ 0817264391'],
  },
});
