import { aadhaarChecks, gstinChecks } from '../../checks/national/south-asia.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';
import { maskMiddle } from '../../masks.ts';

export const india: readonly Detector[] = [
  formattedId({
    id: 'IN_AADHAAR',
    title: 'Indian Aadhaar number',
    category: 'direct_identifier',
    country: 'IN',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [
      { pattern: String.raw`[2-9]\d{3} \d{4} \d{4}` },
      { pattern: String.raw`[2-9]\d{3}-\d{4}-\d{4}` },
      { pattern: String.raw`[2-9]\d{11}` },
    ],
    check: aadhaarChecks,
    context: { words: ['aadhaar', 'aadhar', 'adhaar', 'uidai'] },
    mask: (value) => maskMiddle(value, 0, 4),
    examples: {
      match: [
        { text: 'Aadhaar: 4829 1736 5024', value: '4829 1736 5024' },
        { text: 'UIDAI no. 5647-3829-1043', value: '5647-3829-1043' },
        { text: '739201846526', field: 'aadhaar_number' },
      ],
      not: [
        '4829 1736 5024',
        '739201846526',
        'Aadhaar 4829 1736 5025',
        'Aadhaar 1829 1736 5024',
        'Aadhaar 7392018465260',
      ],
    },
  }),
  formattedId({
    id: 'IN_ABHA',
    title: 'Indian health account (ABHA)',
    category: 'health_info',
    country: 'IN',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    forms: [{ pattern: String.raw`\d{2}-\d{4}-\d{4}-\d{4}` }, { pattern: String.raw`\d{14}` }],
    context: { words: ['abha', 'health id', 'ayushman', 'health account'] },
    examples: {
      match: [
        { text: 'ABHA: 91-2837-4650-1928', value: '91-2837-4650-1928' },
        { text: 'ABHA number 14-5829-3746-1029', value: '14-5829-3746-1029' },
        { text: '91283746501928', field: 'abha_number' },
      ],
      not: ['91-2837-4650-1928', 'ABHA 91-2837-4650-192', '91283746501928', 'ABHA 912837465019283'],
    },
  }),
  formattedId({
    id: 'IN_CIN',
    title: 'Indian company identity',
    category: 'quasi_identifier',
    country: 'IN',
    regulations: [],
    risk: 3,
    strength: 'format',
    confidence: 0.85,
    forms: [{ pattern: String.raw`[LU]\d{5}[A-Z]{2}(?:19|20)\d{2}[A-Z]{3}\d{6}`, free: true }],
    context: { words: ['cin', 'corporate identity', 'corporate identification'] },
    examples: {
      match: [
        'L17110MH1973PLC019786',
        { text: 'CIN: U72200KA2007PTC041799', value: 'U72200KA2007PTC041799' },
        { text: 'L85110KA1981PLC013115', field: 'cin' },
      ],
      not: [
        'L17110MH1873PLC019786',
        'X17110MH1973PLC019786',
        'L17110MH1973PLC01978',
        'L17110MH1973PLC0197861',
      ],
    },
  }),
  formattedId({
    id: 'IN_GSTIN',
    title: 'Indian goods and services tax number',
    category: 'quasi_identifier',
    country: 'IN',
    regulations: [],
    risk: 3,
    forms: [{ pattern: String.raw`\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]`, free: true }],
    check: gstinChecks,
    context: { words: ['gstin', 'gst', 'gst no', 'gst number'] },
    examples: {
      match: [
        '27AAPFU0939F1ZV',
        { text: 'GSTIN: 29ABCPK1234M1ZM', value: '29ABCPK1234M1ZM' },
        { text: '07AAACB2894G1ZP', field: 'gst_no' },
      ],
      not: ['27AAPFU0939F1ZO', '44AAPFU0939F1ZV', '27AAPFU0939F1YV', '127AAPFU0939F1ZV'],
    },
  }),
  // The fourth letter is the kind of holder, the fifth of the name. The last checks, but how is not published.
  formattedId({
    id: 'IN_PAN',
    title: 'Indian permanent account number',
    category: 'direct_identifier',
    country: 'IN',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 8,
    confidence: 0.85,
    forms: [{ pattern: String.raw`[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]`, begins: COMPACT }],
    context: { words: ['pan', 'pan card', 'permanent account', 'income tax'] },
    examples: {
      match: [
        { text: 'PAN: ABCPK1234M', value: 'ABCPK1234M' },
        { text: 'Permanent account number AAACB2894G', value: 'AAACB2894G' },
        { text: 'BNZPM2501F', field: 'pan_no' },
      ],
      not: ['ABCPK1234M', 'PAN ABCXK1234M', 'PAN ABCPK12345', 'PAN ABCPK1234MX'],
    },
  }),
  formattedId({
    id: 'IN_TAN',
    title: 'Indian tax deduction account',
    category: 'quasi_identifier',
    country: 'IN',
    regulations: [],
    risk: 3,
    forms: [{ pattern: String.raw`[A-Z]{4}\d{5}[A-Z]`, begins: COMPACT }],
    context: { words: ['tan', 'tan no', 'tan number', 'tax deduction'] },
    examples: {
      match: [
        { text: 'TAN: MUMA12345B', value: 'MUMA12345B' },
        { text: 'TAN no DELC98765E', value: 'DELC98765E' },
        { text: 'BLRT04821K', field: 'tan_number' },
      ],
      not: ['MUMA12345B', 'TAN MUMA1234B', 'TAN MUM112345B', 'TAN MUMA12345BC'],
    },
  }),
  formattedId({
    id: 'IN_UAN',
    title: 'Indian provident fund number (UAN)',
    category: 'direct_identifier',
    country: 'IN',
    regulations: ['gdpr', 'ccpa'],
    risk: 7,
    forms: [{ pattern: String.raw`1\d{11}` }],
    context: { words: ['uan', 'uan no', 'epfo', 'universal account'] },
    examples: {
      match: [
        { text: 'UAN: 101234567890', value: '101234567890' },
        { text: 'EPFO UAN 100987654321', value: '100987654321' },
        { text: '101928374650', field: 'uan_number' },
      ],
      not: ['101234567890', 'UAN 201234567890', 'UAN 10123456789', 'UAN 1012345678901'],
    },
  }),
  formattedId({
    id: 'IN_VOTER_ID',
    title: 'Indian voter card (EPIC)',
    category: 'direct_identifier',
    country: 'IN',
    regulations: ['gdpr', 'ccpa'],
    risk: 7,
    forms: [{ pattern: String.raw`[A-Z]{3}\d{7}`, begins: COMPACT }],
    context: { words: ['voter', 'voter id', 'epic', 'election commission', 'elector photo'] },
    examples: {
      match: [
        { text: 'Voter ID: WKH1186253', value: 'WKH1186253' },
        { text: 'EPIC No. ABC7391824', value: 'ABC7391824' },
        { text: 'XGT2938475', field: 'voter_id' },
      ],
      not: ['WKH1186253', 'voter id WKH118625', 'voter id WKH11862533', 'voter id WK11862533'],
    },
  }),
];
