import { canadaBusinessChecks } from '../../checks/companies.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const caBusinessNumber: Detector = formattedId({
  id: 'CA_BUSINESS_NUMBER',
  title: 'Canadian business number',
  category: 'quasi_identifier',
  country: 'CA',
  regulations: [],
  risk: 3,
  forms: [
    { pattern: String.raw`\d{9}R[CPTRZM]\d{4}`, free: true },
    { pattern: String.raw`\d{9} R[CPTRZM] ?\d{4}` },
  ],
  check: canadaBusinessChecks,
  context: { words: ['business number', 'bn', 'gst', 'hst', 'payroll account'] },
  examples: {
    match: [
      '800123457RT0001',
      { text: 'GST 837462910 RC 0002', value: '837462910 RC 0002' },
      { text: '123456782RC0001', field: 'business_number' },
    ],
    not: ['800123458RT0001', '800123457RX0001', '800123457RT001', '1800123457RT0001'],
  },
});
