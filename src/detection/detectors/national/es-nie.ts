import { nieChecks } from '../../checks/spain.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const esNie: Detector = formattedId({
  id: 'ES_NIE',
  title: 'Spanish foreigner number (NIE)',
  category: 'direct_identifier',
  country: 'ES',
  regulations: ['gdpr'],
  risk: 9,
  check: nieChecks,
  forms: [
    { pattern: String.raw`[XYZ]-\d{7}-[A-HJ-NP-TV-Z]`, free: true },
    { pattern: String.raw`[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z]` },
  ],
  context: { words: ['nie', 'nif', 'extranjero'] },
  examples: {
    match: [
      'X-2482300-W',
      { text: 'NIE: Y8402917L', value: 'Y8402917L' },
      { text: 'X7319482P', field: 'nie' },
    ],
    not: ['Y8402917L', 'NIE Y8402917M', 'NIE X1234567L', 'X-2482300-A'],
  },
});
