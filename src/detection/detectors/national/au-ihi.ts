import { luhn } from '../../checks/luhn.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** 800360 is the issuer: no card begins so. */
export const auIhi: Detector = formattedId({
  id: 'AU_IHI',
  title: 'Australian health identifier',
  category: 'health_info',
  country: 'AU',
  regulations: ['hipaa', 'gdpr', 'ccpa'],
  risk: 8,
  forms: [
    { pattern: String.raw`800360\d{10}`, free: true },
    { pattern: String.raw`8003 60\d{2} \d{4} \d{4}`, free: true },
  ],
  check: luhn,
  context: { words: ['ihi', 'healthcare identifier', 'individual healthcare'] },
  examples: {
    match: [
      '8003608166690008',
      { text: 'IHI 8003 6028 4756 1027', value: '8003 6028 4756 1027' },
      { text: '8003601938475402', field: 'ihi' },
    ],
    not: ['8003608166690009', '8003618166690008', '18003608166690008', '8003 6028 4756 1028'],
  },
});
