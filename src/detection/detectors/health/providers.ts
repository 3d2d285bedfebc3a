import { deaChecks, npiChecks } from '../../checks/health.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';
import { idTokens, labelledId } from '../../families/ids/labelled-id.ts';

/** Numbers of providers, laboratories and products. */
export const providers: readonly Detector[] = [
  formattedId({
    id: 'CLIA',
    title: 'US clinical laboratory number (CLIA)',
    category: 'health_info',
    country: 'US',
    regulations: ['hipaa'],
    risk: 2,
    confidence: 0.8,
    context: { words: ['clia', 'clia no', 'clia number', 'clia id', 'laboratory', 'lab'] },
    forms: [{ pattern: String.raw`\d{2}D\d{7}` }],
    examples: {
      match: [
        { text: 'CLIA: 05D0987654', value: '05D0987654' },
        { text: 'CLIA # 33D2081234', value: '33D2081234' },
        { text: '11D1234567', field: 'clia_number' },
      ],
      not: ['05D0987654', 'CLIA 05D098765', 'CLIA 05E0987654', 'CLIA 05D09876543'],
    },
  }),
  labelledId({
    id: 'DEA',
    title: 'US DEA registration number',
    category: 'health_info',
    country: 'US',
    regulations: ['hipaa'],
    risk: 6,
    confidence: 0.9,
    prefilters: [{ pattern: String.raw`\b[A-Z][A-Z9]\d{7}\b` }],
    shape: /^[A-Z][A-Z9]\d{7}$/,
    check: deaChecks,
    context: { words: ['dea', 'dea no', 'dea number', 'prescriber', 'registration'] },
    examples: {
      match: [
        { text: 'DEA# AB1234563', value: 'AB1234563' },
        { text: 'Prescriber DEA number: FM1234563', value: 'FM1234563' },
        { text: 'BJ6125341', field: 'dea' },
      ],
      not: ['AB1234563', 'DEA AB1234564', 'DEA AB12345634', 'DEA QB1234563'],
    },
  }),
  // Labeller, product, package: ten digits grouped 4-4-2, 5-3-2 or 5-4-1, or eleven as bills write them.
  formattedId({
    id: 'NDC',
    title: 'US national drug code',
    category: 'health_info',
    country: 'US',
    regulations: ['hipaa'],
    risk: 4,
    confidence: 0.8,
    context: { words: ['ndc', 'ndc code', 'national drug code', 'drug code', 'drug id', 'ndc number'] },
    forms: [
      { pattern: String.raw`\d{4}-\d{4}-\d{2}` },
      { pattern: String.raw`\d{5}-\d{4}-\d{1,2}` },
      { pattern: String.raw`\d{5}-\d{3}-\d{2}` },
      { pattern: String.raw`\d{10,11}` },
    ],
    plausible: (plain) => !/^(\d)\1+$/.test(plain),
    examples: {
      match: [
        { text: 'NDC 0777-3105-02', value: '0777-3105-02' },
        { text: 'NDC: 50580-449-05 (ibuprofen)', value: '50580-449-05' },
        { text: 'NDC# 00093-7180-1', value: '00093-7180-1' },
        { text: '00071015523', field: 'ndc_code' },
      ],
      not: ['0777-3105-02', 'NDC 077-3105-02', 'NDC 0777-3105-023', 'NDC 0000000000', 'call 50580-449-05'],
    },
  }),
  labelledId({
    id: 'NPI',
    title: 'US National Provider Identifier',
    category: 'health_info',
    country: 'US',
    regulations: ['hipaa'],
    risk: 4,
    confidence: 0.9,
    prefilters: idTokens([10, 10]),
    shape: /^[12]\d{9}$/,
    check: npiChecks,
    context: { words: ['npi', 'national provider', 'provider id', 'provider identifier', 'provider number'] },
    examples: {
      match: [
        { text: 'NPI: 1234567893', value: '1234567893' },
        { text: 'national provider identifier 1245319599', value: '1245319599' },
        { text: '1234567893', field: 'providerNpi' },
      ],
      not: ['1234567893', 'NPI 1234567890', 'NPI 3234567893', 'NPI 12345678931'],
    },
  }),
  formattedId({
    id: 'PROCEDURE',
    title: 'Medical procedure code (CPT, HCPCS)',
    category: 'health_info',
    country: 'US',
    regulations: ['hipaa'],
    risk: 6,
    context: {
      words: [
        'cpt',
        'cpt code',
        'hcpcs',
        'hcpcs code',
        'procedure code',
        'proc code',
        'billing code',
        'cpt hcpcs',
      ],
    },
    forms: [
      { pattern: String.raw`\d{5}-(?:\d{2}|[A-Z]{2}|[A-Z]\d)` },
      { pattern: String.raw`\d{5}` },
      { pattern: String.raw`\d{4}[FTUM]` },
      { pattern: String.raw`[A-EGHJ-MP-V]\d{4}` },
    ],
    // Anaesthesia codes begin at 00100; codes above 99607 were not assigned.
    plausible: (plain) => !/^\d{5}/.test(plain) || (plain >= '00100' && plain.slice(0, 5) <= '99607'),
    examples: {
      match: [
        { text: 'CPT 99213', value: '99213' },
        { text: 'CPT code: 99214-25', value: '99214-25' },
        { text: 'HCPCS J1885 ketorolac', value: 'J1885' },
        { text: '0042T', field: 'procedure_code' },
      ],
      not: ['99213', 'CPT 00042', 'CPT 992134', 'HCPCS N1885', 'zip code 99213'],
    },
  }),
];
