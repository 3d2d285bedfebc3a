import { cbuChecks } from '../../checks/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const arCbu: Detector = formattedId({
  id: 'AR_CBU',
  title: 'Argentine bank account (CBU)',
  category: 'financial',
  country: 'AR',
  regulations: ['glba', 'gdpr', 'ccpa'],
  risk: 8,
  confidence: 0.9,
  forms: [{ pattern: String.raw`\d{8}[ -]\d{14}` }, { pattern: String.raw`\d{22}` }],
  check: cbuChecks,
  context: { words: ['cbu', 'cvu', 'clave bancaria'] },
  examples: {
    match: [
      { text: 'CBU: 2850590940090418135201', value: '2850590940090418135201' },
      { text: 'CBU 01700992 40000067735884', value: '01700992 40000067735884' },
      { text: '0170099240000067735884', field: 'cbu' },
    ],
    not: [
      '2850590940090418135201',
      'CBU 2850590940090418135202',
      'CBU 2850590840090418135201',
      'CBU 28505909400904181352010',
    ],
  },
});
