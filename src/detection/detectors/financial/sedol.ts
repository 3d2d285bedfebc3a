import { sedolChecks } from '../../checks/securities.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const sedol: Detector = formattedId({
  id: 'SEDOL',
  title: 'SEDOL number of a security of the London Stock Exchange',
  category: 'financial',
  country: 'GB',
  regulations: ['glba'],
  risk: 2,
  context: { words: ['sedol', 'sedol code', 'sedol number'] },
  forms: [{ pattern: String.raw`[0-9B-DF-HJ-NP-TV-Z]{6}\d` }],
  check: sedolChecks,
  examples: {
    match: [
      { text: 'SEDOL: 0263494', value: '0263494' },
      { text: 'SEDOL B0WNLY7', value: 'B0WNLY7' },
      { text: '7108899', field: 'sedol' },
    ],
    not: ['0263494', 'SEDOL 0263495', 'SEDOL A0WNLY7', 'SEDOL 02634940'],
  },
});
