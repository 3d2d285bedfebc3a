import { balticCodeChecks } from '../../checks/national/baltic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const estonia: readonly Detector[] = [
  formattedId({
    id: 'EE_ISIKUKOOD',
    title: 'Estonian personal code',
    category: 'direct_identifier',
    country: 'EE',
    regulations: ['gdpr'],
    risk: 9,
    check: balticCodeChecks,
    forms: [{ pattern: String.raw`[1-6]\d{10}` }],
    context: {
      words: ['isikukood', 'estonian id', 'national id', 'national identification', 'national identity'],
    },
    examples: {
      match: [
        { text: 'Isikukood: 37605030299', value: '37605030299' },
        { text: 'isikukood 60209184716', value: '60209184716' },
        { text: '47906301144', field: 'isikukood' },
      ],
      not: ['37605030299', 'isikukood 37605030298', 'isikukood 37613030299', 'isikukood 376050302990'],
    },
  }),
];
