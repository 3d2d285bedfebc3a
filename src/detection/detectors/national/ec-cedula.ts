import { ecuadorCedulaChecks } from '../../checks/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ecCedula: Detector = formattedId({
  id: 'EC_CEDULA',
  title: 'Ecuadorian identity card',
  category: 'direct_identifier',
  country: 'EC',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  forms: [{ pattern: String.raw`\d{9}-?\d` }],
  check: ecuadorCedulaChecks,
  context: { words: ['cedula', 'cédula', 'identificacion', 'identificación'] },
  examples: {
    match: [
      { text: 'Cédula: 1714307103', value: '1714307103' },
      { text: 'cedula 092345678-4', value: '092345678-4' },
      { text: '1710034065', field: 'cedula' },
    ],
    not: ['1714307103', 'cedula 1714307104', 'cedula 2614307103', 'cedula 17143071030'],
  },
});
