import { colombiaNitChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const colombia: readonly Detector[] = [
  // No check digit: up to eight digits of the old cards, ten from 1,000,000,000 on.
  formattedId({
    id: 'CO_CEDULA',
    title: 'Colombian citizen card',
    category: 'direct_identifier',
    country: 'CO',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.7,
    forms: [{ pattern: String.raw`\d{1,3}(?:\.\d{3}){2,3}` }, { pattern: String.raw`\d{7,10}` }],
    plausible: isIssuedCedula,
    context: { words: ['cedula', 'cedula de ciudadania', 'cédula', 'c.c.', 'cc colombia'] },
    examples: {
      match: [
        { text: 'Cédula de ciudadanía: 1.032.456.789', value: '1.032.456.789' },
        { text: 'Cedula: 52.345.678', value: '52.345.678' },
        { text: '1032456789', field: 'cedula_ciudadania' },
      ],
      not: ['1.032.456.789', 'Cedula 3032456789', 'Cedula 123456', '1032456789', 'Cedula 10324567891'],
    },
  }),
  formattedId({
    id: 'CO_NIT',
    title: 'Colombian tax number (NIT)',
    category: 'direct_identifier',
    country: 'CO',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 4,
    forms: [
      { pattern: String.raw`\d{3}\.\d{3}\.\d{3}-\d` },
      { pattern: String.raw`\d{9}-\d` },
      { pattern: String.raw`\d{10}` },
    ],
    check: colombiaNitChecks,
    context: { words: ['nit', 'identificacion tributaria', 'identificación'] },
    examples: {
      match: [
        { text: 'NIT: 900.373.115-3', value: '900.373.115-3' },
        { text: 'Nit 860002964-4', value: '860002964-4' },
        { text: '8001972684', field: 'nit' },
      ],
      not: ['900.373.115-3', 'NIT 900.373.115-4', '8001972684', 'NIT 860002964-5', 'NIT 9900.373.115-3'],
    },
  }),
];

function isIssuedCedula(digits: string): boolean {
  return digits.length <= 8 || /^1[01]\d{8}$/.test(digits);
}
