import { abaChecks } from '../../checks/aba.ts';
import { mod97 } from '../../checks/check-digits.ts';
import { isCountry } from '../../checks/country.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';
import { idTokens, labelledId } from '../../families/ids/labelled-id.ts';

/** Codes of banks and creditors. */
export const bankCodes: readonly Detector[] = [
  labelledId({
    id: 'ABA_ROUTING',
    title: 'US bank routing number',
    category: 'financial',
    country: 'US',
    regulations: ['glba', 'ccpa'],
    risk: 5,
    confidence: 0.85,
    prefilters: idTokens([9, 9]),
    shape: /^\d{9}$/,
    check: abaChecks,
    context: { words: ['aba', 'routing', 'rtn', 'transit', 'routing transit', 'fedwire'] },
    examples: {
      match: [
        { text: 'Routing number: 021000021', value: '021000021' },
        { text: 'ABA# 011401533', value: '011401533' },
        { text: '091000019', field: 'routing_number' },
      ],
      not: ['021000021', 'routing number 021000022', 'routing 991000019', 'routing number 0210000210'],
    },
  }),
  formattedId({
    id: 'EU_CREDITOR_ID',
    title: 'SEPA creditor identifier',
    category: 'financial',
    regulations: ['gdpr'],
    risk: 3,
    context: {
      words: [
        'creditor',
        'creditor id',
        'creditor identifier',
        'glaubiger id',
        'glaeubiger id',
        'sepa',
        'ics',
        'mandate',
        'mandat',
      ],
    },
    forms: [
      // ZZZ is what most leave the business code at.
      { pattern: String.raw`[A-Z]{2}\d\dZZZ[A-Z0-9]{6,28}`, free: true },
      { pattern: String.raw`[A-Z]{2}\d\d[A-Z0-9]{3}[A-Z0-9]{6,28}` },
    ],
    check: creditorChecks,
    plausible: (plain) => isCountry(plain.slice(0, 2)),
    examples: {
      match: [
        'DE98ZZZ09999999999',
        { text: 'Glaeubiger-ID: DE98ABC09999999999', value: 'DE98ABC09999999999' },
        { text: 'DE98ZZZ09999999999', field: 'creditor_id' },
      ],
      not: ['DE99ZZZ09999999999', 'DE98ABC09999999999', 'ADE98ZZZ09999999999', 'DE98ZZZ0999999999'],
    },
  }),
  formattedId({
    id: 'IN_IFSC',
    title: 'Indian bank branch code (IFSC)',
    category: 'financial',
    country: 'IN',
    regulations: ['glba'],
    risk: 2,
    confidence: 0.85,
    forms: [{ pattern: '[A-Z]{4}0[A-Z0-9]{6}', begins: COMPACT }],
    context: { words: ['ifsc', 'ifsc code', 'rtgs', 'neft'] },
    examples: {
      match: [
        { text: 'IFSC: HDFC0001234', value: 'HDFC0001234' },
        { text: 'IFSC code SBIN0005943', value: 'SBIN0005943' },
        { text: 'ICIC0000047', field: 'ifsc' },
      ],
      not: ['HDFC0001234', 'IFSC HDFC1001234', 'IFSC HDFC000123', 'IFSC HDFC00012345'],
    },
  }),
  labelledId({
    id: 'SWIFT_BIC',
    title: 'SWIFT/BIC bank code',
    category: 'financial',
    regulations: ['glba'],
    risk: 3,
    confidence: 0.7,
    prefilters: [
      { pattern: String.raw`\b[A-Z]{6}[A-Z0-9]{2}\b` },
      { pattern: String.raw`\b[A-Z]{6}[A-Z0-9]{5}\b` },
    ],
    shape: /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:XXX|[A-WY-Z0-9][A-Z0-9]{2})?$/,
    plausible: (value) => isCountry(value.slice(4, 6)),
    context: {
      words: ['swift', 'bic', 'swift code', 'bank code', 'bank identifier', 'bank identifier code'],
      adjacent: ['swift', 'bic'],
    },
    examples: {
      match: [
        { text: 'SWIFT: DEUTDEFF', value: 'DEUTDEFF' },
        { text: 'BIC DEUTDEFF500', value: 'DEUTDEFF500' },
        { text: 'CHASUS33', field: 'swift_code' },
        { text: 'BIC/SWIFT code: NEDSZAJJXXX', value: 'NEDSZAJJXXX' },
      ],
      not: [
        'DEUTDEFF',
        'swift PASSWORD',
        'BIC DEUTDEFF50',
        'swift deutdeff',
        'SWIFT CODE: DEUTXXFF',
        'CMAKE_Swift_COMPILER',
        'NET_TCP_BIC_FASTCONV',
      ],
    },
  }),
  formattedId({
    id: 'UK_SORT_CODE',
    title: 'UK bank sort code',
    category: 'financial',
    country: 'GB',
    regulations: ['gdpr'],
    risk: 4,
    context: { words: ['sort code', 'sort', 'bank sort code', 'sortcode'], adjacent: ['sort'] },
    forms: [
      { pattern: String.raw`\d{2}-\d{2}-\d{2}` },
      { pattern: String.raw`\d{2} \d{2} \d{2}` },
      { pattern: String.raw`\d{6}` },
    ],
    plausible: (plain) => plain !== '000000',
    examples: {
      match: [
        { text: 'Sort code: 20-00-00', value: '20-00-00' },
        { text: 'sort code 60 83 71', value: '60 83 71' },
        { text: '309089', field: 'sort_code' },
      ],
      not: [
        '20-00-00',
        'sort code 20-00-000',
        'sort code 00-00-00',
        'sorted by 20-00-00 date',
        'sort code 2000001',
        'keep the sort order stable, closes #685238',
      ],
    },
  }),
];

/** SEPA creditor identifier: like an IBAN, but the three letters of the business code are not part of the checksum. */
function creditorChecks(text: string): boolean {
  return /^[A-Z]{2}\d\d[A-Z0-9]{4,31}$/.test(text) && mod97(text.slice(7) + text.slice(0, 4)) === 1;
}
