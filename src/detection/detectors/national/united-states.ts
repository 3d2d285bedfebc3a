import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';
import { maskMiddle } from '../../masks.ts';

const UNUSED_EIN_PREFIXES = /^(?:00|0[7-9]|1[7-9]|2[89]|49|69|70|78|79|89|96|97)/;
const ITIN_GROUPS = /^\d{3}(?:5\d|6[0-5]|7\d|8[0-8]|9[0-2]|9[4-9])/;

export const unitedStates: readonly Detector[] = [
  formattedId({
    id: 'US_ALIEN_NUMBER',
    title: 'US alien registration number',
    category: 'direct_identifier',
    country: 'US',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.8,
    forms: [{ pattern: String.raw`A-?\d{8,9}`, begins: String.raw`A[\d-]\d{4}` }],
    context: { words: ['alien registration', 'alien number', 'a number', 'uscis number', 'uscis'] },
    examples: {
      match: [
        { text: 'Alien registration number: A123456789', value: 'A123456789' },
        { text: 'USCIS A-087654321', value: 'A-087654321' },
        { text: 'A98765432', field: 'alien_number' },
      ],
      not: ['A123456789', 'alien number A1234567', 'alien number A1234567890', 'alien number B123456789'],
    },
  }),
  formattedId({
    id: 'US_ATIN',
    title: 'US adoption taxpayer number',
    category: 'direct_identifier',
    country: 'US',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 8,
    strength: 'format',
    confidence: 0.75,
    forms: [
      { pattern: String.raw`9\d{2}-93-\d{4}`, free: true },
      { pattern: String.raw`9\d{2} 93 \d{4}` },
      { pattern: String.raw`9\d{2}93\d{4}` },
    ],
    context: { words: ['atin', 'adoption taxpayer', 'tax payer id'] },
    mask: (value) => maskMiddle(value, 0, 4),
    examples: {
      match: [
        '912-93-4821',
        { text: 'ATIN 987-93-1204', value: '987-93-1204' },
        { text: '912934821', field: 'child_atin' },
      ],
      not: ['912-78-4821', '912934821', '812-93-4821', '912-93-48210'],
    },
  }),
  formattedId({
    id: 'US_DOD_ID',
    title: 'US military id (EDIPI)',
    category: 'direct_identifier',
    country: 'US',
    regulations: ['gdpr', 'cui'],
    risk: 8,
    forms: [{ pattern: String.raw`[1-9]\d{9}` }],
    context: {
      words: [
        'edipi',
        'edi pi',
        'dod id',
        'dod id number',
        'dodid',
        'military id',
        'cac id',
        'electronic data interchange personal identifier',
      ],
    },
    examples: {
      match: [
        { text: 'EDIPI: 1283746509', value: '1283746509' },
        { text: 'DOD ID number 1029384756', value: '1029384756' },
        { text: '1592837465', field: 'edipi' },
      ],
      not: ['1283746509', 'EDIPI 128374650', 'EDIPI 12837465091', 'DoD ID 0283746509'],
    },
  }),
  // The first two digits identify the issuing office; seventeen pairs were never used.
  formattedId({
    id: 'US_EIN',
    title: 'US employer number',
    category: 'quasi_identifier',
    country: 'US',
    regulations: ['glba'],
    risk: 4,
    forms: [{ pattern: String.raw`\d{2}-\d{7}` }, { pattern: String.raw`\d{9}` }],
    plausible: isIssuedEin,
    context: {
      words: [
        'ein',
        'fein',
        'employer id',
        'employer identification',
        'employer identification number',
        'federal tax id',
        'tax id',
      ],
    },
    examples: {
      match: [
        { text: 'EIN: 12-3456789', value: '12-3456789' },
        { text: 'Employer identification number 94-2404110', value: '94-2404110' },
        { text: '200182736', field: 'company_ein' },
      ],
      not: ['12-3456789', 'EIN 07-3456789', 'EIN 12-345678', 'EIN 12-34567890', 'EIN 78-3456789'],
    },
  }),
  // Formatted like a social security number; begins with 9, and only some middle groups are issued.
  formattedId({
    id: 'US_ITIN',
    title: 'US individual taxpayer number',
    category: 'direct_identifier',
    country: 'US',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 8,
    strength: 'format',
    confidence: 0.8,
    forms: [
      { pattern: String.raw`9\d{2}-\d{2}-\d{4}`, free: true },
      { pattern: String.raw`9\d{2} \d{2} \d{4}` },
      { pattern: String.raw`9\d{8}` },
    ],
    plausible: isIssuedItin,
    context: { words: ['itin', 'individual taxpayer', 'tax payer id', 'tin'] },
    mask: (value) => maskMiddle(value, 0, 4),
    examples: {
      match: [
        '912-78-4821',
        { text: 'ITIN: 934-85-1290.', value: '934-85-1290' },
        { text: '912784821', field: 'itin' },
      ],
      not: ['912-93-4821', '912-49-4821', '912784821', '812-78-4821', '912-78-48213', 'order 1912-78-4821'],
    },
  }),
  formattedId({
    id: 'US_PTIN',
    title: 'US tax preparer number',
    category: 'direct_identifier',
    country: 'US',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 4,
    forms: [{ pattern: String.raw`P\d{8}`, begins: COMPACT }],
    context: { words: ['ptin', 'preparer tax', 'preparer'] },
    examples: {
      match: [
        { text: "Preparer's PTIN: P01234567", value: 'P01234567' },
        { text: 'PTIN P00482917', value: 'P00482917' },
        { text: 'P01837465', field: 'preparer_ptin' },
      ],
      not: ['P01234567', 'PTIN P0123456', 'PTIN P012345678', 'PTIN Q01234567'],
    },
  }),
  // The first three letters are the service center.
  formattedId({
    id: 'US_USCIS_RECEIPT',
    title: 'US immigration receipt number',
    category: 'direct_identifier',
    country: 'US',
    regulations: ['gdpr', 'ccpa'],
    risk: 6,
    strength: 'prefix',
    confidence: 0.8,
    forms: [{ pattern: String.raw`(?:EAC|WAC|LIN|SRC|NBC|MSC|IOE|YSC)\d{10}`, free: true }],
    context: { words: ['receipt number', 'receipt no', 'uscis', 'case number', 'i 797', 'immigration'] },
    examples: {
      match: [
        'IOE0912345678',
        { text: 'Receipt number WAC2190123456', value: 'WAC2190123456' },
        { text: 'MSC2091234567', field: 'receipt_number' },
      ],
      not: ['IOE091234567', 'XYZ0912345678', 'AIOE0912345678', 'IOE09123456789'],
    },
  }),
];

function isIssuedEin(digits: string): boolean {
  return !UNUSED_EIN_PREFIXES.test(digits);
}

function isIssuedItin(digits: string): boolean {
  return ITIN_GROUPS.test(digits);
}
