import { cuitChecks } from '../../checks/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const arCuit: Detector = formattedId({
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
});
