import { dvlaPlausible, gbVatChecks, utrChecks } from '../../checks/national/britain-ireland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const unitedKingdom: readonly Detector[] = [
  formattedId({
    id: 'UK_DRIVING_LICENCE',
    title: 'UK driving licence number',
    category: 'direct_identifier',
    country: 'GB',
    regulations: ['gdpr'],
    risk: 8,
    confidence: 0.8,
    plausible: dvlaPlausible,
    forms: [{ pattern: String.raw`[A-Z][A-Z9]{4}\d[0156]\d[0-3]\d{2}[A-Z9]{2}\d[A-Z]{2}`, free: true }],
    context: { words: ['driving licence', 'driver number', 'licence number', 'dvla'] },
    examples: {
      match: [
        'MORGA657054SM9IJ',
        { text: 'Driving licence no: JONES710238HA9AB', value: 'JONES710238HA9AB' },
        { text: 'FOX99852211D98XY', field: 'driver_number' },
      ],
      not: ['MORGA657054SM9I', 'MORGA677054SM9IJ', 'MORGA657994SM9IJ', 'XMORGA657054SM9IJ'],
    },
  }),
  formattedId({
    id: 'UK_UTR',
    title: 'UK Unique Taxpayer Reference',
    category: 'direct_identifier',
    country: 'GB',
    regulations: ['gdpr'],
    risk: 7,
    check: utrChecks,
    forms: [
      { pattern: String.raw`\d{10}` },
      { pattern: String.raw`\d{5} \d{5}` },
      { pattern: String.raw`\d{3} \d{3} \d{4}` },
    ],
    context: { words: ['utr', 'unique taxpayer', 'taxpayer reference'] },
    examples: {
      match: [
        { text: 'UTR: 1955839661', value: '1955839661' },
        { text: 'Unique Taxpayer Reference 24829 17365', value: '24829 17365' },
        { text: '2204859317', field: 'utr_number' },
      ],
      not: ['1955839661', 'UTR 2955839661', 'UTR 19558396611', 'UTR 1111111111', 'UTR 195583966'],
    },
  }),
  formattedId({
    id: 'UK_VAT',
    title: 'UK VAT registration number',
    category: 'quasi_identifier',
    country: 'GB',
    regulations: ['gdpr'],
    risk: 3,
    check: gbVatChecks,
    forms: [{ pattern: String.raw`\d{3} ?\d{4} ?\d{2}` }],
    context: { words: ['vat', 'vat reg', 'vat registration'] },
    examples: {
      match: [
        { text: 'VAT Reg No 980 7806 84', value: '980 7806 84' },
        { text: 'VAT registration number: 980780684', value: '980780684' },
        { text: '980 7806 84', field: 'vat_number' },
      ],
      not: ['980 7806 84', 'VAT 980 7806 85', 'VAT 9807806840', 'VAT 000 0000 00'],
    },
  }),
];
