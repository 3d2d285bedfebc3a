import { isCountry } from '../../checks/country.ts';
import type { Detector } from '../../detector.ts';
import { labelledId } from '../../families/labelled-id.ts';

export const swiftBic: Detector = labelledId({
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
  context: { words: ['swift', 'bic', 'swift code', 'bank code', 'bank identifier', 'bank identifier code'] },
  examples: {
    match: [
      { text: 'SWIFT: DEUTDEFF', value: 'DEUTDEFF' },
      { text: 'BIC DEUTDEFF500', value: 'DEUTDEFF500' },
      { text: 'CHASUS33', field: 'swift_code' },
      { text: 'BIC/SWIFT code: NEDSZAJJXXX', value: 'NEDSZAJJXXX' },
    ],
    not: ['DEUTDEFF', 'swift PASSWORD', 'BIC DEUTDEFF50', 'swift deutdeff', 'SWIFT CODE: DEUTXXFF'],
  },
});
