import { curpChecks } from '../../checks/mexico.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const mxCurp: Detector = formattedId({
  id: 'MX_CURP',
  title: 'Mexican population key (CURP)',
  category: 'direct_identifier',
  country: 'MX',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  forms: [
    {
      pattern: String.raw`[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z0-9]\d`,
      free: true,
    },
  ],
  check: curpChecks,
  context: { words: ['curp', 'clave unica', 'registro de población', 'registro de poblacion'] },
  examples: {
    match: [
      'GOMC850312MDFRRL05',
      { text: 'CURP: LOPJ920725HJCPRN00', value: 'LOPJ920725HJCPRN00' },
      { text: 'BOXW310820HNERXN09', field: 'curp' },
    ],
    not: ['GOMC850312MDFRRL06', 'GOMC851312MDFRRL05', 'GOMC850312MZZRRL05', 'AGOMC850312MDFRRL05'],
  },
});
