import { hetuChecks } from '../../checks/national/nordic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const finland: readonly Detector[] = [
  formattedId({
    id: 'FI_HETU',
    title: 'Finnish personal identity code (HETU)',
    category: 'direct_identifier',
    country: 'FI',
    regulations: ['gdpr'],
    risk: 9,
    confidence: 0.9,
    check: hetuChecks,
    forms: [{ pattern: String.raw`\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]`, free: true }],
    context: { words: ['hetu', 'henkilötunnus', 'henkilotunnus', 'sotu', 'personbeteckning'] },
    examples: {
      match: [
        '131052-308T',
        '010203A4717',
        '150688X3085',
        '070911B116B',
        { text: 'Henkilotunnus: 230794-205B', value: '230794-205B' },
      ],
      not: ['131052-308U', '311152-308T', '010594Y9032', '131052G308T', '1131052-308T'],
    },
  }),
];
