import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Labeller, product, package: ten digits grouped 4-4-2, 5-3-2 or 5-4-1, or eleven as bills write them. */
export const ndc: Detector = formattedId({
  id: 'NDC',
  title: 'US national drug code',
  category: 'health_info',
  country: 'US',
  regulations: ['hipaa'],
  risk: 4,
  confidence: 0.8,
  context: { words: ['ndc', 'ndc code', 'national drug code', 'drug code', 'drug id', 'ndc number'] },
  forms: [
    { pattern: String.raw`\d{4}-\d{4}-\d{2}` },
    { pattern: String.raw`\d{5}-\d{4}-\d{1,2}` },
    { pattern: String.raw`\d{5}-\d{3}-\d{2}` },
    { pattern: String.raw`\d{10,11}` },
  ],
  plausible: (plain) => !/^(\d)\1+$/.test(plain),
  examples: {
    match: [
      { text: 'NDC 0777-3105-02', value: '0777-3105-02' },
      { text: 'NDC: 50580-449-05 (ibuprofen)', value: '50580-449-05' },
      { text: 'NDC# 00093-7180-1', value: '00093-7180-1' },
      { text: '00071015523', field: 'ndc_code' },
    ],
    not: ['0777-3105-02', 'NDC 077-3105-02', 'NDC 0777-3105-023', 'NDC 0000000000', 'call 50580-449-05'],
  },
});
