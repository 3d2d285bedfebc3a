import { innChecks, russianPassportPlausible, snilsChecks } from '../../checks/national/eastern-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';
import { nativelyLabelled } from '../../families/ids/native-label.ts';

export const russia: readonly Detector[] = [
  nativelyLabelled(
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
  ),
  // Ten digits in a row that begin with 1 are more often a point in time.
  nativelyLabelled(
    ['паспорт', 'паспорт рф', 'паспорт серия'],
    formattedId({
      id: 'RU_PASSPORT',
      title: 'Russian passport number',
      category: 'direct_identifier',
      country: 'RU',
      regulations: ['gdpr'],
      risk: 8,
      confidence: 0.7,
      plausible: russianPassportPlausible,
      forms: [
        { pattern: String.raw`\d{4} \d{6}` },
        { pattern: String.raw`\d\d \d\d \d{6}` },
        { pattern: String.raw`(?:0[1-9]|[2-9]\d)\d{8}` },
      ],
      context: { words: ['passport', 'pasport'] },
      examples: {
        match: [
          { text: 'Паспорт: 4509 123487', value: '4509 123487' },
          { text: 'passport 4509 123487', value: '4509 123487' },
          { text: 'pasport: 40 07 283746', value: '40 07 283746' },
          { text: '4511203948', field: 'passport_number' },
        ],
        not: [
          '4509 123487',
          'passport 4562 123487',
          'passport 0009 123487',
          'passport 4509 111111',
          'passport 45091234870',
          'passport 1509123487',
        ],
      },
    }),
  ),
  nativelyLabelled(
    ['снилс'],
    formattedId({
      id: 'RU_SNILS',
      title: 'Russian pension insurance number (SNILS)',
      category: 'direct_identifier',
      country: 'RU',
      regulations: ['gdpr'],
      risk: 9,
      confidence: 0.9,
      check: snilsChecks,
      forms: [
        { pattern: String.raw`\d{3}-\d{3}-\d{3}[ -]\d\d`, free: true },
        { pattern: String.raw`\d{11}` },
        { pattern: String.raw`\d{3} \d{3} \d{3} \d\d` },
      ],
      context: { words: ['snils'] },
      examples: {
        match: [
          { text: 'СНИЛС № 08728491311', value: '08728491311' },
          '112-233-445 95',
          { text: 'SNILS: 08728491311', value: '08728491311' },
          { text: '158-362-047 75', field: 'snils' },
        ],
        not: ['112-233-445 96', '11223344595', '000-000-000 00', 'SNILS 087284913110'],
      },
    }),
  ),
];
