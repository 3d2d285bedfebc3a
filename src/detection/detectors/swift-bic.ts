import { ibanLength } from '../checks/iban.ts';
import type { Detector } from '../detector.ts';
import { labelledId } from './labelled-id.ts';

/** Countries whose banks have codes but whose accounts have no IBAN. */
const OTHER_COUNTRIES = new Set(
  'US CA AU NZ JP CN HK SG IN KR TW TH MY ID PH VN ZA NG KE MX AR CL CO PE'.split(' '),
);

export const swiftBic: Detector = labelledId({
  id: 'SWIFT_BIC',
  title: 'SWIFT/BIC bank code',
  category: 'financial',
  confidence: 0.7,
  anchors: [
    { kind: 'token', made: ['U', 'Ud'], length: [8, 8] },
    { kind: 'token', made: ['U', 'Ud'], length: [11, 11] },
  ],
  shape: /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/,
  plausible: (value) => ibanLength(value.slice(4, 6)) !== undefined || OTHER_COUNTRIES.has(value.slice(4, 6)),
  context: { words: ['swift', 'bic', 'swift code', 'bank code'] },
  examples: {
    match: [
      { text: 'SWIFT: DEUTDEFF', value: 'DEUTDEFF' },
      { text: 'BIC DEUTDEFF500', value: 'DEUTDEFF500' },
      { text: 'CHASUS33', field: 'swift_code' },
    ],
    not: ['DEUTDEFF', 'swift PASSWORD', 'BIC DEUTDEFF50', 'swift deutdeff'],
  },
});
