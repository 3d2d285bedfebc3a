import { aadhaarChecks } from '../../checks/india.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';
import { maskMiddle } from '../../masks.ts';

export const inAadhaar: Detector = formattedId({
  id: 'IN_AADHAAR',
  title: 'Indian Aadhaar number',
  category: 'direct_identifier',
  country: 'IN',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  forms: [
    { pattern: String.raw`[2-9]\d{3} \d{4} \d{4}` },
    { pattern: String.raw`[2-9]\d{3}-\d{4}-\d{4}` },
    { pattern: String.raw`[2-9]\d{11}` },
  ],
  check: aadhaarChecks,
  context: { words: ['aadhaar', 'aadhar', 'adhaar', 'uidai'] },
  mask: (value) => maskMiddle(value, 0, 4),
  examples: {
    match: [
      { text: 'Aadhaar: 4829 1736 5024', value: '4829 1736 5024' },
      { text: 'UIDAI no. 5647-3829-1043', value: '5647-3829-1043' },
      { text: '739201846526', field: 'aadhaar_number' },
    ],
    not: [
      '4829 1736 5024',
      '739201846526',
      'Aadhaar 4829 1736 5025',
      'Aadhaar 1829 1736 5024',
      'Aadhaar 7392018465260',
    ],
  },
});
