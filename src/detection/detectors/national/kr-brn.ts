import { brnChecks } from '../../checks/japan-korea.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const krBrn: Detector = formattedId({
  id: 'KR_BRN',
  title: 'Korean business number',
  category: 'quasi_identifier',
  country: 'KR',
  regulations: [],
  risk: 3,
  forms: [{ pattern: String.raw`\d{3}-\d{2}-\d{5}` }, { pattern: String.raw`\d{10}` }],
  check: brnChecks,
  context: { words: ['brn', 'business registration', 'business registration number', 'saeopja'] },
  examples: {
    match: [
      { text: 'Business registration number: 124-81-00998', value: '124-81-00998' },
      { text: 'BRN 128-81-45376', value: '128-81-45376' },
      { text: '2208162517', field: 'business_registration_no' },
    ],
    not: ['124-81-00998', 'BRN 124-81-00997', '2208162517', 'BRN 124-81-009980'],
  },
});
