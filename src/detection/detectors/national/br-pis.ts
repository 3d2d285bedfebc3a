import { pisChecks } from '../../checks/brazil.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const brPis: Detector = formattedId({
  id: 'BR_PIS',
  title: 'Brazilian worker number (PIS, NIS)',
  category: 'direct_identifier',
  country: 'BR',
  regulations: ['gdpr', 'ccpa'],
  risk: 8,
  forms: [{ pattern: String.raw`\d{3}\.\d{5}\.\d{2}-\d`, free: true }, { pattern: String.raw`\d{11}` }],
  check: pisChecks,
  context: { words: ['pis', 'pasep', 'nis', 'nit', 'pis pasep', 'trabalhador'] },
  examples: {
    match: [
      '120.56412.84-7',
      { text: 'PIS/PASEP: 170.33259.50-4', value: '170.33259.50-4' },
      { text: '12056412847', field: 'nis' },
    ],
    not: ['120.56412.84-8', '12056412847', 'PIS 120564128471', '000.00000.00-0'],
  },
});
