import { abnChecks } from '../../checks/oceania.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const auAbn: Detector = formattedId({
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
});
