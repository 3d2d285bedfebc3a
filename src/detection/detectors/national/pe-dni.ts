import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const peDni: Detector = formattedId({
  id: 'PE_DNI',
  title: 'Peruvian identity number (DNI)',
  category: 'direct_identifier',
  country: 'PE',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  confidence: 0.7,
  forms: [{ pattern: String.raw`\d{8}(?:-?[\dA-K])?` }],
  context: { words: ['dni peru', 'dni peruano', 'reniec', 'documento de identidad peruano'] },
  examples: {
    match: [
      { text: 'RENIEC DNI: 45678912', value: '45678912' },
      { text: 'DNI peruano 41823756-8', value: '41823756-8' },
      { text: '70482913', field: 'dni_peru' },
    ],
    not: ['45678912', 'DNI Peru 4567891', 'RENIEC 4567891234', 'reniec 45678912Z'],
  },
});
