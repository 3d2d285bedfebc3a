import { luhn } from '../../checks/luhn.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const mxNss: Detector = formattedId({
  id: 'MX_NSS',
  title: 'Mexican social security number',
  category: 'direct_identifier',
  country: 'MX',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  forms: [{ pattern: String.raw`\d{2}-\d{2}-\d{2}-\d{4}-\d` }, { pattern: String.raw`\d{11}` }],
  check: luhn,
  context: { words: ['nss', 'imss', 'seguro social', 'seguridad social'] },
  examples: {
    match: [
      { text: 'NSS: 92876534212', value: '92876534212' },
      { text: 'IMSS 92-87-65-3421-2', value: '92-87-65-3421-2' },
      { text: '12345678903', field: 'nss' },
    ],
    not: ['92876534212', 'NSS 92876534213', 'NSS 928765342120', '92-87-65-3421-2'],
  },
});
