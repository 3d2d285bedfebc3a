import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Every state has a form of its own: digits, or digits and a letter or two. */
export const medicaidId: Detector = formattedId({
  id: 'MEDICAID_ID',
  title: 'US Medicaid member number',
  category: 'health_info',
  country: 'US',
  regulations: ['hipaa', 'ccpa'],
  risk: 8,
  context: {
    words: [
      'medicaid',
      'medicaid id',
      'medicaid no',
      'medicaid number',
      'medi cal',
      'medi cal id',
      'masshealth',
      'badgercare',
      'medicaid member id',
      'medicaid recipient',
    ],
  },
  forms: [
    { pattern: String.raw`\d{8}[A-Z]\d{5}` },
    { pattern: String.raw`\d{8}[A-Z]` },
    { pattern: String.raw`[A-Z]{2}\d{5}[A-Z]` },
    { pattern: String.raw`[A-Z]{1,2}\d{7,11}` },
    { pattern: String.raw`\d{8,14}` },
  ],
  plausible: (plain) => !/(\d)\1{7}/.test(plain) && !/^(?:19|20)\d\d[01]\d[0-3]\d$/.test(plain),
  examples: {
    match: [
      { text: 'Medicaid ID: AB12345C', value: 'AB12345C' },
      { text: 'Medi-Cal ID 90812765D', value: '90812765D' },
      { text: 'Medicaid number 4829105736', value: '4829105736' },
      { text: '123450987654', field: 'medicaid_id' },
    ],
    not: ['AB12345C', '4829105736', 'Medicaid ID 1234567', 'Medicaid ID 00000000', 'Medicaid since 20240131'],
  },
});
