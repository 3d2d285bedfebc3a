import { vergiChecks } from '../../checks/turkey.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const trVkn: Detector = formattedId({
  id: 'TR_VKN',
  title: 'Turkish tax number (VKN)',
  category: 'quasi_identifier',
  country: 'TR',
  regulations: ['gdpr'],
  risk: 4,
  check: vergiChecks,
  forms: [{ pattern: String.raw`\d{10}` }],
  context: { words: ['vergi no', 'vergi kimlik', 'vergi numarası', 'vergi numarasi', 'vkn'] },
  examples: {
    match: [
      { text: 'Vergi No: 4540536920', value: '4540536920' },
      { text: 'VKN 8372610493', value: '8372610493' },
      { text: '1230498576', field: 'vergi_no' },
    ],
    not: ['4540536920', 'VKN 4540536921', 'VKN 45405369200', 'VKN 0000000000'],
  },
});
