import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

/** The fourth letter is the kind of holder, the fifth of the name. The last checks, but how is not published. */
export const inPan: Detector = formattedId({
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
});
