import { dowodChecks } from '../../checks/poland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const plIdCard: Detector = formattedId({
  id: 'PL_ID_CARD',
  title: 'Polish identity card number',
  category: 'direct_identifier',
  country: 'PL',
  regulations: ['gdpr'],
  risk: 8,
  check: dowodChecks,
  forms: [{ pattern: String.raw`[A-Z]{3} ?\d{6}` }],
  context: { words: ['dowod', 'dowodu', 'dowód', 'seria i numer'] },
  examples: {
    match: [
      { text: 'Dowod osobisty: ABA300000', value: 'ABA300000' },
      { text: 'nr dowodu osobistego CZX 248291', value: 'CZX 248291' },
      { text: 'AXR503815', field: 'dowod_osobisty' },
    ],
    not: ['ABA300000', 'Dowod osobisty ABA300001', 'dowod AB3000000', 'dowod ABA3000001'],
  },
});
