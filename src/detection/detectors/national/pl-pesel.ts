import { peselChecks } from '../../checks/poland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const plPesel: Detector = formattedId({
  id: 'PL_PESEL',
  title: 'Polish PESEL',
  category: 'direct_identifier',
  country: 'PL',
  regulations: ['gdpr'],
  risk: 9,
  check: peselChecks,
  forms: [{ pattern: String.raw`\d{11}` }],
  context: {
    words: ['pesel', 'numer ewidencyjny', 'national id', 'national identification', 'national identity'],
  },
  examples: {
    match: [
      { text: 'PESEL: 44051401359', value: '44051401359' },
      { text: 'nr PESEL 85072914835', value: '85072914835' },
      { text: '02281904721', field: 'pesel' },
    ],
    not: ['44051401359', 'PESEL 44051401358', 'PESEL 44023001358', 'PESEL 440514013590'],
  },
});
