import { cuitChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const argentina: readonly Detector[] = [
  formattedId({
    id: 'AR_CUIT',
    title: 'Argentine tax number (CUIT, CUIL)',
    category: 'direct_identifier',
    country: 'AR',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 8,
    forms: [{ pattern: String.raw`\d{2}-\d{8}-\d`, free: true }, { pattern: String.raw`\d{11}` }],
    check: cuitChecks,
    context: { words: ['cuit', 'cuil', 'clave unica de identificacion'] },
    examples: {
      match: [
        '27-28033514-8',
        { text: 'CUIT 30-71234567-1', value: '30-71234567-1' },
        { text: '20267565393', field: 'cuil' },
      ],
      not: ['27-28033514-9', '20267565393', '28-28033514-8', '127-28033514-8', 'CUIT 202675653930'],
    },
  }),
  // No check digit: seven or eight digits that only a label makes an identity. Peru writes eight under the same
  // label.
  formattedId({
    id: 'AR_DNI',
    title: 'Argentine identity number (DNI)',
    category: 'direct_identifier',
    country: 'AR',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    strength: 'heuristic',
    confidence: 0.7,
    forms: [{ pattern: String.raw`\d{1,2}\.\d{3}\.\d{3}` }, { pattern: String.raw`\d{7,8}` }],
    plausible: isLivingPersonsNumber,
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
];

/** Numbers below three million belong to people born before 1920. */
function isLivingPersonsNumber(digits: string): boolean {
  return Number(digits) >= 3_000_000;
}
