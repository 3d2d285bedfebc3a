import { codiceFiscaleChecks, partitaIvaChecks } from '../../checks/national/southern-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const italy: readonly Detector[] = [
  // Letters replace digits where two people would have the same code (omocodia). Lower case is only accepted in tables.
  formattedId({
    id: 'IT_CODICE_FISCALE',
    title: 'Italian codice fiscale',
    category: 'direct_identifier',
    country: 'IT',
    regulations: ['gdpr'],
    risk: 9,
    confidence: 0.95,
    check: codiceFiscaleChecks,
    forms: [
      { pattern: '[A-Z]{6}[0-9L-NP-V]{2}[A-EHLMPRST][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z]', free: true },
      { pattern: String.raw`[a-z]{6}\d{2}[a-ehlmprst]\d{2}[a-z]\d{3}[a-z]` },
    ],
    context: { words: ['codice fiscale', 'cod fisc', 'codfisc', 'codicefiscale'] },
    examples: {
      match: [
        'RCCMNL83S18D969H',
        'RSSMRA85T10A56NH',
        { text: 'Codice fiscale: BNCGLI92C61F205P.', value: 'BNCGLI92C61F205P' },
        { text: 'rssmra85t10a562s', field: 'codice_fiscale' },
      ],
      not: ['RCCMNL83S18D969A', 'RSSMRA85T32A562S', 'RSSMRA85F10A562S', 'XRCCMNL83S18D969H'],
    },
  }),
  formattedId({
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
  }),
];
