import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Each state has rules of its own; most write eight digits and one more, or X. */
export const brRg: Detector = formattedId({
  id: 'BR_RG',
  title: 'Brazilian identity card (RG)',
  category: 'direct_identifier',
  country: 'BR',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  confidence: 0.75,
  forms: [{ pattern: String.raw`\d{1,2}\.\d{3}\.\d{3}-[\dXx]` }, { pattern: String.raw`\d{8}-[\dXx]` }],
  context: { words: ['rg', 'registro geral', 'carteira de identidade', 'identidade'] },
  examples: {
    match: [
      { text: 'RG: 31.203.131-2', value: '31.203.131-2' },
      { text: 'Registro geral 9.482.716-X', value: '9.482.716-X' },
      { text: '31203131-2', field: 'rg' },
    ],
    not: ['31.203.131-2', 'RG 31.203.131', 'RG 31.203.131-22', 'RG 31203131'],
  },
});
