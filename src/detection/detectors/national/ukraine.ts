import { rnokppChecks } from '../../checks/national/eastern-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';
import { nativelyLabelled } from '../../families/ids/native-label.ts';

export const ukraine: readonly Detector[] = [
  nativelyLabelled(
    ['рнокпп', 'іпн', 'ідентифікаційний код'],
    formattedId({
      id: 'UA_RNOKPP',
      title: 'Ukrainian taxpayer number (RNOKPP)',
      category: 'direct_identifier',
      country: 'UA',
      regulations: ['gdpr'],
      risk: 8,
      check: rnokppChecks,
      forms: [{ pattern: String.raw`[0-4]\d{9}` }],
      context: { words: ['rnokpp', 'ipn', 'drfo'] },
      examples: {
        match: [
          { text: 'РНОКПП 1759013776', value: '1759013776' },
          { text: 'ідентифікаційний код: 3218472016', value: '3218472016' },
          { text: 'RNOKPP: 1759013776', value: '1759013776' },
          { text: 'IPN 3218472016', value: '3218472016' },
          { text: '2893054170', field: 'rnokpp' },
        ],
        not: ['1759013776', 'RNOKPP 1759013777', 'RNOKPP 17590137760', 'IPN 0000000000'],
      },
    }),
  ),
];
