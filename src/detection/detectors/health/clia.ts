import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const clia: Detector = formattedId({
  id: 'CLIA',
  title: 'US clinical laboratory number (CLIA)',
  category: 'health_info',
  country: 'US',
  regulations: ['hipaa'],
  risk: 2,
  confidence: 0.8,
  context: { words: ['clia', 'clia no', 'clia number', 'clia id', 'laboratory', 'lab'] },
  forms: [{ pattern: String.raw`\d{2}D\d{7}` }],
  examples: {
    match: [
      { text: 'CLIA: 05D0987654', value: '05D0987654' },
      { text: 'CLIA # 33D2081234', value: '33D2081234' },
      { text: '11D1234567', field: 'clia_number' },
    ],
    not: ['05D0987654', 'CLIA 05D098765', 'CLIA 05E0987654', 'CLIA 05D09876543'],
  },
});
