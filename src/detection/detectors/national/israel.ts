import { teudatZehutChecks } from '../../checks/national/middle-east-africa.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const israel: readonly Detector[] = [
  formattedId({
    id: 'IL_ID',
    title: 'Israeli identity number',
    category: 'direct_identifier',
    country: 'IL',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{8}-?\d` }],
    check: teudatZehutChecks,
    context: {
      words: ['teudat zehut', 'teudat', 'mispar zehut', 'zehut', 'israeli id', 'israel id', 't.z.'],
    },
    examples: {
      match: [
        { text: 'Teudat zehut: 312847569', value: '312847569' },
        { text: 'Israeli ID 05839274-7', value: '05839274-7' },
        { text: '039337423', field: 'teudat_zehut' },
      ],
      not: ['312847569', 'teudat zehut 312847568', 'teudat zehut 3128475690', 'Israeli ID 000000000'],
    },
  }),
];
