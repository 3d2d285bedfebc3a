import { acnChecks } from '../../checks/oceania.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const auAcn: Detector = formattedId({
  id: 'AU_ACN',
  title: 'Australian company number',
  category: 'quasi_identifier',
  country: 'AU',
  regulations: [],
  risk: 3,
  forms: [{ pattern: String.raw`\d{3} \d{3} \d{3}` }, { pattern: String.raw`\d{9}` }],
  check: acnChecks,
  context: { words: ['acn', 'arbn', 'australian company', 'australian company number'] },
  examples: {
    match: [
      { text: 'ACN: 004 085 616', value: '004 085 616' },
      { text: 'A.C.N. or ACN 102 417 032', value: '102 417 032' },
      { text: '008124794', field: 'acn' },
    ],
    not: ['004 085 616', 'ACN 004 085 617', '008124794', 'ACN 0040856160'],
  },
});
