import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const philippines: readonly Detector[] = [
  formattedId({
    id: 'PH_PAGIBIG',
    title: 'Philippine housing fund number (Pag-IBIG)',
    category: 'direct_identifier',
    country: 'PH',
    regulations: ['gdpr', 'ccpa'],
    risk: 6,
    forms: [{ pattern: String.raw`\d{4}-\d{4}-\d{4}` }, { pattern: String.raw`\d{12}` }],
    context: { words: ['pag ibig', 'pagibig', 'hdmf', 'mid no', 'pag ibig mid'] },
    examples: {
      match: [
        { text: 'Pag-IBIG: 1212-3847-5610', value: '1212-3847-5610' },
        { text: 'HDMF no. 1210-9283-7465', value: '1210-9283-7465' },
        { text: '121238475610', field: 'pagibig_mid' },
      ],
      not: ['1212-3847-5610', 'Pag-IBIG 1212-3847-561', '121238475610', 'HDMF 12123847561'],
    },
  }),
  formattedId({
    id: 'PH_PHILHEALTH',
    title: 'Philippine health insurance number',
    category: 'health_info',
    country: 'PH',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    confidence: 0.75,
    forms: [{ pattern: String.raw`\d{2}-\d{9}-\d` }, { pattern: String.raw`\d{12}` }],
    context: { words: ['phil health'] },
    examples: {
      match: [
        { text: 'PhilHealth: 12-345678901-2', value: '12-345678901-2' },
        { text: 'PhilHealth PIN 19-283746510-7', value: '19-283746510-7' },
        { text: '192837465107', field: 'philhealth_no' },
      ],
      not: ['12-345678901-2', 'PhilHealth 12-34567890-2', '192837465107', 'PhilHealth 1928374651'],
    },
  }),
  formattedId({
    id: 'PH_PHILSYS',
    title: 'Philippine identity number (PhilSys)',
    category: 'direct_identifier',
    country: 'PH',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.7,
    forms: [
      { pattern: String.raw`\d{4}-\d{4}-\d{4}-\d{4}` },
      { pattern: String.raw`\d{4}-\d{4}-\d{4}` },
      { pattern: String.raw`\d{16}` },
      { pattern: String.raw`\d{12}` },
    ],
    context: { words: ['phil sys', 'phil id', 'philippine identification'] },
    examples: {
      match: [
        { text: 'PhilSys PSN: 2938-4756-1029', value: '2938-4756-1029' },
        { text: 'PhilID PCN 5281-9374-6102-8375', value: '5281-9374-6102-8375' },
        { text: '293847561029', field: 'philsys_number' },
      ],
      not: ['2938-4756-1029', 'PhilSys 2938-4756-102', '293847561029', 'PSN 293847561029'],
    },
  }),
  formattedId({
    id: 'PH_TIN',
    title: 'Philippine tax number',
    category: 'direct_identifier',
    country: 'PH',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 8,
    confidence: 0.7,
    forms: [{ pattern: String.raw`\d{3}-\d{3}-\d{3}-\d{3,5}` }, { pattern: String.raw`\d{3}-\d{3}-\d{3}` }],
    context: { words: ['tin', 'tin no', 'bir', 'tax payer identification'] },
    examples: {
      match: [
        { text: 'TIN: 123-482-917-000', value: '123-482-917-000' },
        { text: 'BIR TIN no. 408-271-936', value: '408-271-936' },
        { text: '219-384-756-00000', field: 'tin' },
      ],
      not: ['123-482-917-000', '408-271-936', 'TIN 408-271-93', 'TIN 408-271-9366'],
    },
  }),
  formattedId({
    id: 'PH_UMID',
    title: 'Philippine social security number (SSS, UMID)',
    category: 'direct_identifier',
    country: 'PH',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.7,
    forms: [
      { pattern: String.raw`\d{4}-\d{7}-\d` },
      { pattern: String.raw`\d{2}-\d{7}-\d` },
      { pattern: String.raw`\d{12}` },
      { pattern: String.raw`\d{10}` },
    ],
    context: { words: ['umid', 'sss', 'sss no', 'gsis', 'common reference'] },
    examples: {
      match: [
        { text: 'UMID CRN: 0111-2837465-9', value: '0111-2837465-9' },
        { text: 'SSS No. 34-2837465-1', value: '34-2837465-1' },
        { text: '011128374659', field: 'umid_crn' },
      ],
      not: ['0111-2837465-9', '34-2837465-1', 'SSS 34-283746-1', 'UMID 01112837465'],
    },
  }),
];
