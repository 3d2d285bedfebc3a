import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const wkn: Detector = formattedId({
  id: 'DE_WKN',
  title: 'German securities number (WKN)',
  category: 'financial',
  country: 'DE',
  regulations: ['glba'],
  risk: 2,
  confidence: 0.7,
  context: { words: ['wkn', 'wertpapierkennnummer', 'wertpapier kenn nummer', 'wertpapierkennummer'] },
  forms: [{ pattern: '[A-HJ-NP-Z0-9]{6}' }],
  plausible: (plain) => /\d/.test(plain),
  examples: {
    match: [
      { text: 'WKN: 865985', value: '865985' },
      { text: 'Apple WKN A0YEDG', value: 'A0YEDG' },
      { text: 'BAY001', field: 'wkn' },
    ],
    not: ['865985', 'WKN ABCDEF', 'WKN 8659851', 'WKN A0YEDO', 'WKN 86598'],
  },
});
