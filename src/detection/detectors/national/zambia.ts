import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const zambia: readonly Detector[] = [
  formattedId({
    id: 'ZM_NRC',
    title: 'Zambian registration card',
    category: 'direct_identifier',
    country: 'ZM',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{6}/\d{2}/[123]` }],
    context: { words: ['nrc', 'registration card', 'zambia'] },
    examples: {
      match: [
        { text: 'NRC: 284756/61/1', value: '284756/61/1' },
        { text: 'NRC no. 938475/10/1', value: '938475/10/1' },
        { text: '192837/45/1', field: 'nrc' },
      ],
      not: ['284756/61/1', 'NRC 28475/61/1', 'NRC 284756/61/11', 'NRC 284756/6/1'],
    },
  }),
];
