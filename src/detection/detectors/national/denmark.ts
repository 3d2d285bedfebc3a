import { cprPlausible } from '../../checks/national/nordic.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const denmark: readonly Detector[] = [
  // No check digit since 2007, so a date and a label must do.
  formattedId({
    id: 'DK_CPR',
    title: 'Danish CPR number',
    category: 'direct_identifier',
    country: 'DK',
    regulations: ['gdpr'],
    risk: 9,
    confidence: 0.8,
    plausible: cprPlausible,
    forms: [{ pattern: String.raw`\d{6}[- ]?\d{4}` }],
    context: { words: ['cpr', 'cpr nr', 'cpr nummer', 'personnummer'] },
    examples: {
      match: [
        { text: 'CPR: 230485-0172', value: '230485-0172' },
        { text: 'CPR-nr. 0511579034', value: '0511579034' },
        { text: '140392-1847', field: 'cpr_nummer' },
      ],
      not: ['230485-0172', 'CPR 311385-0172', 'CPR 290201-4172', 'CPR 2304850172-5'],
    },
  }),
];
