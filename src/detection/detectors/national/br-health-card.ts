import { healthCardChecks } from '../../checks/brazil.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const brHealthCard: Detector = formattedId({
  id: 'BR_HEALTH_CARD',
  title: 'Brazilian health card (CNS)',
  category: 'health_info',
  country: 'BR',
  regulations: ['hipaa', 'gdpr', 'ccpa'],
  risk: 8,
  forms: [{ pattern: String.raw`[12789]\d{2} \d{4} \d{4} \d{4}` }, { pattern: String.raw`[12789]\d{14}` }],
  check: healthCardChecks,
  context: { words: ['cns', 'sus', 'cartão nacional de saúde', 'nacional de saude', 'cart.o sus'] },
  examples: {
    match: [
      { text: 'CNS: 702938475610296', value: '702938475610296' },
      { text: 'SUS 898 2938 4756 1022', value: '898 2938 4756 1022' },
      { text: '203847561029381', field: 'cns' },
    ],
    not: ['702938475610296', 'CNS 702938475610297', 'CNS 7029384756102960', 'CNS 502938475610296'],
  },
});
