import { innChecks } from '../../checks/eastern.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';
import { nativelyLabelled } from '../../families/native-label.ts';

export const ruInn: Detector = nativelyLabelled(
  ['инн'],
  formattedId({
    id: 'RU_INN',
    title: 'Russian taxpayer number (INN)',
    category: 'direct_identifier',
    country: 'RU',
    regulations: ['gdpr'],
    risk: 7,
    check: innChecks,
    forms: [{ pattern: String.raw`\d{10}` }, { pattern: String.raw`\d{12}` }],
    context: { words: ['inn'] },
    examples: {
      match: [
        { text: 'ИНН: 7707083893', value: '7707083893' },
        { text: '{"инн": "500100732259"}', value: '500100732259' },
        { text: 'INN 7707083893', value: '7707083893' },
        { text: 'INN: 500100732259', value: '500100732259' },
        { text: '774301829459', field: 'inn' },
      ],
      not: [
        '7707083893',
        'INN 7707083894',
        'INN 500100732258',
        'INN 77070838931',
        'ИНН 7707083894',
        'ДЛИНН 7707083893',
        'ИНН неизвестен, заказ номер 7707083893',
      ],
    },
  }),
);
