import { abaChecks } from '../../checks/aba.ts';
import type { Detector } from '../../detector.ts';
import { idTokens, labelledId } from '../../families/labelled-id.ts';

export const abaRouting: Detector = labelledId({
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
});
