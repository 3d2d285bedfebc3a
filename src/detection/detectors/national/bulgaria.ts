import { egnChecks } from '../../checks/national/balkans.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';
import { nativelyLabelled } from '../../families/ids/native-label.ts';

export const bulgaria: readonly Detector[] = [
  nativelyLabelled(
    ['егн'],
    formattedId({
      id: 'BG_EGN',
      title: 'Bulgarian EGN',
      category: 'direct_identifier',
      country: 'BG',
      regulations: ['gdpr'],
      risk: 9,
      check: egnChecks,
      forms: [{ pattern: String.raw`\d{10}` }],
      context: { words: ['egn', 'ucn', 'national id', 'national identification', 'national identity'] },
      examples: {
        match: [
          { text: 'ЕГН: 8032056031', value: '8032056031' },
          { text: 'EGN: 8032056031', value: '8032056031' },
          { text: 'egn 6101057509', value: '6101057509' },
          { text: '0243051179', field: 'egn' },
        ],
        not: ['8032056031', 'EGN 8032056032', 'EGN 8099056031', 'EGN 80320560310'],
      },
    }),
  ),
];
