import { adoazonositoChecks } from '../../checks/hungary.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const huTaxId: Detector = formattedId({
  id: 'HU_TAX_ID',
  title: 'Hungarian personal tax number',
  category: 'direct_identifier',
  country: 'HU',
  regulations: ['gdpr'],
  risk: 8,
  check: adoazonositoChecks,
  forms: [{ pattern: String.raw`8\d{9}` }],
  context: { words: ['adoazonosito', 'adóazonosító'] },
  examples: {
    match: [
      { text: 'Adoazonosito jel: 8071592153', value: '8071592153' },
      { text: 'adoazonosito 8437281547', value: '8437281547' },
      { text: '8410592304', field: 'adoazonosito_jel' },
    ],
    not: [
      '8071592153',
      'Adoazonosito jel 8071592154',
      'Adoazonosito jel 7071592153',
      'Adoazonosito jel 80715921530',
    ],
  },
});
