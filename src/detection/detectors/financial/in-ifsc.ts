import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

export const inIfsc: Detector = formattedId({
  id: 'IN_IFSC',
  title: 'Indian bank branch code (IFSC)',
  category: 'financial',
  country: 'IN',
  regulations: ['glba'],
  risk: 2,
  confidence: 0.85,
  forms: [{ pattern: '[A-Z]{4}0[A-Z0-9]{6}', begins: COMPACT }],
  context: { words: ['ifsc', 'ifsc code', 'rtgs', 'neft'] },
  examples: {
    match: [
      { text: 'IFSC: HDFC0001234', value: 'HDFC0001234' },
      { text: 'IFSC code SBIN0005943', value: 'SBIN0005943' },
      { text: 'ICIC0000047', field: 'ifsc' },
    ],
    not: ['HDFC0001234', 'IFSC HDFC1001234', 'IFSC HDFC000123', 'IFSC HDFC00012345'],
  },
});
