import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const procedure: Detector = formattedId({
  id: 'PROCEDURE',
  title: 'Medical procedure code (CPT, HCPCS)',
  category: 'health_info',
  country: 'US',
  regulations: ['hipaa'],
  risk: 6,
  context: {
    words: [
      'cpt',
      'cpt code',
      'hcpcs',
      'hcpcs code',
      'procedure code',
      'proc code',
      'billing code',
      'cpt hcpcs',
    ],
  },
  forms: [
    { pattern: String.raw`\d{5}-(?:\d{2}|[A-Z]{2}|[A-Z]\d)` },
    { pattern: String.raw`\d{5}` },
    { pattern: String.raw`\d{4}[FTUM]` },
    { pattern: String.raw`[A-EGHJ-MP-V]\d{4}` },
  ],
  // Anaesthesia codes begin at 00100; codes above 99607 were not assigned.
  plausible: (plain) => !/^\d{5}/.test(plain) || (plain >= '00100' && plain.slice(0, 5) <= '99607'),
  examples: {
    match: [
      { text: 'CPT 99213', value: '99213' },
      { text: 'CPT code: 99214-25', value: '99214-25' },
      { text: 'HCPCS J1885 ketorolac', value: 'J1885' },
      { text: '0042T', field: 'procedure_code' },
    ],
    not: ['99213', 'CPT 00042', 'CPT 992134', 'HCPCS N1885', 'zip code 99213'],
  },
});
