import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const inCin: Detector = {
  ...formattedId({
    id: 'IN_CIN',
    title: 'Indian company identity',
    category: 'quasi_identifier',
    country: 'IN',
    regulations: [],
    risk: 3,
    confidence: 0.85,
    forms: [{ pattern: String.raw`[LU]\d{5}[A-Z]{2}(?:19|20)\d{2}[A-Z]{3}\d{6}`, free: true }],
    context: { words: ['cin', 'corporate identity', 'corporate identification'] },
    examples: {
      match: [
        'L17110MH1973PLC019786',
        { text: 'CIN: U72200KA2007PTC041799', value: 'U72200KA2007PTC041799' },
        { text: 'L85110KA1981PLC013115', field: 'cin' },
      ],
      not: [
        'L17110MH1873PLC019786',
        'X17110MH1973PLC019786',
        'L17110MH1973PLC01978',
        'L17110MH1973PLC0197861',
      ],
    },
  }),
  standing: 'formed',
};
