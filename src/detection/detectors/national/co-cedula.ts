import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

function issuedRange(digits: string): boolean {
  return digits.length <= 8 || /^1[01]\d{8}$/.test(digits);
}

/** No check digit: up to eight digits of the old cards, ten from 1,000,000,000 on. */
export const coCedula: Detector = formattedId({
  id: 'CO_CEDULA',
  title: 'Colombian citizen card',
  category: 'direct_identifier',
  country: 'CO',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  confidence: 0.7,
  forms: [{ pattern: String.raw`\d{1,3}(?:\.\d{3}){2,3}` }, { pattern: String.raw`\d{7,10}` }],
  plausible: issuedRange,
  context: { words: ['cedula', 'cedula de ciudadania', 'cédula', 'c.c.', 'cc colombia'] },
  examples: {
    match: [
      { text: 'Cédula de ciudadanía: 1.032.456.789', value: '1.032.456.789' },
      { text: 'Cedula: 52.345.678', value: '52.345.678' },
      { text: '1032456789', field: 'cedula_ciudadania' },
    ],
    not: ['1.032.456.789', 'Cedula 3032456789', 'Cedula 123456', '1032456789', 'Cedula 10324567891'],
  },
});
