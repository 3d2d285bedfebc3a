import { regonChecks } from '../../checks/poland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const plRegon: Detector = formattedId({
  id: 'PL_REGON',
  title: 'Polish statistical number (REGON)',
  category: 'quasi_identifier',
  country: 'PL',
  regulations: ['gdpr'],
  risk: 3,
  check: regonChecks,
  forms: [{ pattern: String.raw`\d{9}` }, { pattern: String.raw`\d{14}` }],
  context: { words: ['regon'] },
  examples: {
    match: [
      { text: 'REGON: 192598184', value: '192598184' },
      { text: 'REGON 12345678512347', value: '12345678512347' },
      { text: '012736482', field: 'regon' },
    ],
    not: ['192598184', 'REGON 192598185', 'REGON 1925981840', 'REGON 12345678512348'],
  },
});
