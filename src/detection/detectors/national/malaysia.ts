import { mykadPlausible } from '../../checks/national/south-asia.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const malaysia: readonly Detector[] = [
  formattedId({
    id: 'MY_MYKAD',
    title: 'Malaysian identity card (MyKad)',
    category: 'direct_identifier',
    country: 'MY',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    strength: 'format',
    confidence: 0.75,
    forms: [{ pattern: String.raw`\d{6}-\d{2}-\d{4}`, free: true }, { pattern: String.raw`\d{12}` }],
    plausible: mykadPlausible,
    context: {
      words: ['mykad', 'kad', 'nric', 'ic', 'ic no', 'ic number', 'kad pengenalan'],
      avoid: ['phone', 'tel', 'order', 'invoice', 'fax'],
    },
    examples: {
      match: [
        '850412-14-5283',
        { text: 'IC No: 770305-02-1234', value: '770305-02-1234' },
        { text: '911123085821', field: 'mykad' },
      ],
      not: ['851412-14-5283', '850412-00-5283', '911123085821', '850412-14-52830', '2850412-14-5283'],
    },
  }),
];
