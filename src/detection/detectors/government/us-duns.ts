import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const usDuns: Detector = formattedId({
  id: 'DUNS',
  title: 'D-U-N-S number',
  category: 'government',
  country: 'US',
  regulations: [],
  risk: 3,
  forms: [{ pattern: String.raw`\d{2}-\d{3}-\d{4}` }, { pattern: String.raw`\d{9}` }],
  context: { words: ['duns', 'duns number', 'duns no', 'd u n s', 'dun and bradstreet', 'dun & bradstreet'] },
  examples: {
    match: [
      { text: 'DUNS: 15-048-3782', value: '15-048-3782' },
      { text: 'DUNS number 804735132', value: '804735132' },
      { text: 'DUNS 081466849', value: '081466849' },
      { text: '081466849', field: 'duns' },
    ],
    not: ['15-048-3782', '804735132', 'DUNS 80473513', 'DUNS 8047351321'],
  },
});
