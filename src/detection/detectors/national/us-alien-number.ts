import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const usAlienNumber: Detector = formattedId({
  id: 'US_ALIEN_NUMBER',
  title: 'US alien registration number',
  category: 'direct_identifier',
  country: 'US',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  confidence: 0.8,
  forms: [{ pattern: String.raw`A-?\d{8,9}`, begins: String.raw`A[\d-]\d{4}` }],
  context: { words: ['alien registration', 'alien number', 'a number', 'uscis number', 'uscis'] },
  examples: {
    match: [
      { text: 'Alien registration number: A123456789', value: 'A123456789' },
      { text: 'USCIS A-087654321', value: 'A-087654321' },
      { text: 'A98765432', field: 'alien_number' },
    ],
    not: ['A123456789', 'alien number A1234567', 'alien number A1234567890', 'alien number B123456789'],
  },
});
