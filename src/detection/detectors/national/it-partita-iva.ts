import { partitaIvaChecks } from '../../checks/italy.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const itPartitaIva: Detector = formattedId({
  id: 'IT_PARTITA_IVA',
  title: 'Italian VAT number (partita IVA)',
  category: 'quasi_identifier',
  country: 'IT',
  regulations: ['gdpr'],
  risk: 3,
  check: partitaIvaChecks,
  forms: [{ pattern: String.raw`\d{11}` }],
  context: { words: ['partita iva', 'piva', 'iva'] },
  examples: {
    match: [
      { text: 'P.IVA 00743110157', value: '00743110157' },
      { text: 'Partita IVA: 02481930150', value: '02481930150' },
      { text: '07958130960', field: 'partita_iva' },
    ],
    not: ['00743110157', 'P.IVA 00743110158', 'P.IVA 007431101570', 'Partita IVA 00000000000'],
  },
});
