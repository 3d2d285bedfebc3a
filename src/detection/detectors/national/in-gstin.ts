import { gstinChecks } from '../../checks/india.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const inGstin: Detector = formattedId({
  id: 'IN_GSTIN',
  title: 'Indian goods and services tax number',
  category: 'quasi_identifier',
  country: 'IN',
  regulations: [],
  risk: 3,
  forms: [{ pattern: String.raw`\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]`, free: true }],
  check: gstinChecks,
  context: { words: ['gstin', 'gst', 'gst no', 'gst number'] },
  examples: {
    match: [
      '27AAPFU0939F1ZV',
      { text: 'GSTIN: 29ABCPK1234M1ZM', value: '29ABCPK1234M1ZM' },
      { text: '07AAACB2894G1ZP', field: 'gst_no' },
    ],
    not: ['27AAPFU0939F1ZO', '44AAPFU0939F1ZV', '27AAPFU0939F1YV', '127AAPFU0939F1ZV'],
  },
});
