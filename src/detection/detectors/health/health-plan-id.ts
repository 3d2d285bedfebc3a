import type { Detector } from '../../detector.ts';
import { idTokens, labelledId } from '../../families/labelled-id.ts';

export const healthPlanId: Detector = labelledId({
  id: 'HEALTH_PLAN_ID',
  title: 'Health insurance member number',
  category: 'health_info',
  regulations: ['hipaa', 'ccpa'],
  risk: 8,
  confidence: 0.75,
  prefilters: idTokens([8, 12], [8, 15]),
  shape: /^(?:\d{8,12}|[A-Z]{1,4}\d{6,12})$/,
  context: {
    words: [
      'member id',
      'member no',
      'member number',
      'subscriber id',
      'subscriber number',
      'health plan',
      'health plan id',
      'insurance id',
      'insurance number',
      'policy holder id',
      'beneficiary id',
      'group number',
      'policy number',
    ],
  },
  examples: {
    match: [
      { text: 'Member ID: XYZ123456789', value: 'XYZ123456789' },
      { text: 'subscriber id W123456789', value: 'W123456789' },
      { text: '908172635', field: 'healthPlanId' },
    ],
    not: ['XYZ123456789', '908172635', 'member since 12345678', 'Member ID: XYZ12'],
  },
});
