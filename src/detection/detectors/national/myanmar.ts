import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const myanmar: readonly Detector[] = [
  formattedId({
    id: 'MM_NRC',
    title: 'Burmese registration card',
    category: 'direct_identifier',
    country: 'MM',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    strength: 'format',
    confidence: 0.9,
    forms: [{ pattern: String.raw`\d{1,2}/[A-Z][A-Za-z]{5,11}\((?:N|E|P|T|C|Naing)\)\d{6}`, free: true }],
    context: { words: ['nrc', 'registration card', 'myanmar'] },
    examples: {
      match: [
        '12/OUKAMA(N)123456',
        { text: 'NRC: 9/MaKhaNa(N)482917', value: '9/MaKhaNa(N)482917' },
        { text: '5/KaLaHta(Naing)938475', field: 'nrc' },
      ],
      not: ['12/OUKAMA(X)123456', '12/OUKAMA(N)12345', '112/OUKAMA(N)123456', '12/OUKAMA(N)1234567'],
    },
  }),
];
