import { bsnChecks } from '../../checks/national/benelux.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const netherlands: readonly Detector[] = [
  formattedId({
    id: 'NL_BSN',
    title: 'Dutch citizen service number (BSN)',
    category: 'direct_identifier',
    country: 'NL',
    regulations: ['gdpr'],
    risk: 9,
    check: bsnChecks,
    forms: [
      { pattern: String.raw`\d{9}` },
      { pattern: String.raw`\d{4}\.\d\d\.\d{3}` },
      { pattern: String.raw`\d{3}[. ]\d{3}[. ]\d{3}` },
    ],
    context: { words: ['bsn', 'burgerservicenummer', 'burgerservicenr', 'sofi nummer'] },
    examples: {
      match: [
        { text: 'BSN: 123456782', value: '123456782' },
        { text: 'Burgerservicenummer 2837.46.518', value: '2837.46.518' },
        { text: '194738267', field: 'bsn' },
      ],
      not: ['123456782', 'BSN 123456783', 'BSN 1234567820', 'BSN 000000000'],
    },
  }),
];
