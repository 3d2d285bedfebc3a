import { renavamChecks } from '../../checks/brazil.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const brRenavam: Detector = formattedId({
  id: 'BR_RENAVAM',
  title: 'Brazilian vehicle register',
  category: 'quasi_identifier',
  country: 'BR',
  regulations: ['gdpr', 'ccpa'],
  risk: 4,
  forms: [{ pattern: String.raw`\d{11}` }],
  check: renavamChecks,
  context: { words: ['renavam'] },
  examples: {
    match: [
      { text: 'RENAVAM: 00639884962', value: '00639884962' },
      { text: 'Renavam 00827364512', value: '00827364512' },
      { text: '01192837468', field: 'renavam' },
    ],
    not: ['00639884962', 'RENAVAM 00639884963', 'RENAVAM 006398849620', 'RENAVAM 0063988496'],
  },
});
