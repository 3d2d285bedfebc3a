import { dniChecks } from '../../checks/spain.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const esDni: Detector = formattedId({
  id: 'ES_DNI',
  title: 'Spanish DNI',
  category: 'direct_identifier',
  country: 'ES',
  regulations: ['gdpr'],
  risk: 9,
  check: dniChecks,
  forms: [
    { pattern: String.raw`\d\d\.\d{3}\.\d{3}-[A-HJ-NP-TV-Z]`, free: true },
    { pattern: String.raw`\d{8}[ -]?[A-HJ-NP-TV-Z]` },
  ],
  context: { words: ['dni', 'nif', 'documento nacional', 'documento de identidad'] },
  examples: {
    match: [
      '48.293.716-H',
      { text: 'DNI: 54362315K', value: '54362315K' },
      { text: 'con DNI 07653214-X', value: '07653214-X' },
      { text: '48293716H', field: 'dni_cliente' },
    ],
    not: ['54362315K', 'DNI 54362315L', 'DNI 12345678Z', 'DNI 543623150K', '48.293.716-J'],
  },
});
