import { cnhChecks } from '../../checks/brazil.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const brCnh: Detector = formattedId({
  id: 'BR_CNH',
  title: 'Brazilian driver licence (CNH)',
  category: 'direct_identifier',
  country: 'BR',
  regulations: ['gdpr', 'ccpa'],
  risk: 7,
  forms: [{ pattern: String.raw`\d{11}` }],
  check: cnhChecks,
  context: { words: ['cnh', 'carteira de motorista', 'habilitação', 'habilitacao', 'registro cnh'] },
  examples: {
    match: [
      { text: 'CNH: 39182746519', value: '39182746519' },
      { text: 'CNH n. 04721986387', value: '04721986387' },
      { text: '62472927637', field: 'cnh' },
    ],
    not: ['39182746519', 'CNH 39182746510', 'CNH 391827465190', 'CNH 11111111111'],
  },
});
