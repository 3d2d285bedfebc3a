import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const phUmid: Detector = formattedId({
  id: 'PH_UMID',
  title: 'Philippine social security number (SSS, UMID)',
  category: 'direct_identifier',
  country: 'PH',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  confidence: 0.7,
  forms: [
    { pattern: String.raw`\d{4}-\d{7}-\d` },
    { pattern: String.raw`\d{2}-\d{7}-\d` },
    { pattern: String.raw`\d{12}` },
    { pattern: String.raw`\d{10}` },
  ],
  context: { words: ['umid', 'sss', 'sss no', 'gsis', 'common reference'] },
  examples: {
    match: [
      { text: 'UMID CRN: 0111-2837465-9', value: '0111-2837465-9' },
      { text: 'SSS No. 34-2837465-1', value: '34-2837465-1' },
      { text: '011128374659', field: 'umid_crn' },
    ],
    not: ['0111-2837465-9', '34-2837465-1', 'SSS 34-283746-1', 'UMID 01112837465'],
  },
});
