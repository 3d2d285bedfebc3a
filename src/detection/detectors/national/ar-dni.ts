import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Numbers below three million belong to people born before 1920. */
function living(digits: string): boolean {
  return Number(digits) >= 3_000_000;
}

/**
 * No check digit: seven or eight digits that only a label makes an identity. Peru writes eight under the same
 * label.
 */
export const arDni: Detector = {
  ...formattedId({
    id: 'AR_DNI',
    title: 'Argentine identity number (DNI)',
    category: 'direct_identifier',
    country: 'AR',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.7,
    forms: [{ pattern: String.raw`\d{1,2}\.\d{3}\.\d{3}` }, { pattern: String.raw`\d{7,8}` }],
    plausible: living,
    context: { words: ['dni', 'documento nacional de identidad', 'libreta civica'] },
    examples: {
      match: [
        { text: 'DNI: 28.033.514', value: '28.033.514' },
        { text: 'DNI 30987654', value: '30987654' },
        { text: '28033514', field: 'dni' },
      ],
      not: ['28.033.514', '30987654', 'DNI 280335', 'DNI 280335141', 'DNI 28033514Z'],
    },
  }),
  standing: 'guessed',
};
