import { tfnChecks } from '../../checks/oceania.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const auTfn: Detector = formattedId({
  id: 'AU_TFN',
  title: 'Australian tax file number',
  category: 'direct_identifier',
  country: 'AU',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 9,
  forms: [
    { pattern: String.raw`\d{3} \d{3} \d{3}` },
    { pattern: String.raw`\d{3}-\d{3}-\d{3}` },
    { pattern: String.raw`\d{9}` },
  ],
  check: tfnChecks,
  context: { words: ['tfn', 'tax file', 'tax file number'] },
  examples: {
    match: [
      { text: 'TFN: 648 319 726', value: '648 319 726' },
      { text: 'Tax file number 365-218-745', value: '365-218-745' },
      { text: '648319726', field: 'tfn' },
    ],
    not: ['648 319 726', 'TFN 648 319 727', '648319726', 'TFN 6483197260'],
  },
});
