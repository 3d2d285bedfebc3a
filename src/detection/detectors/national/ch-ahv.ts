import { ahvChecks } from '../../checks/alpine.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const chAhv: Detector = formattedId({
  id: 'CH_AHV',
  title: 'Swiss social security number (AHV/AVS)',
  category: 'direct_identifier',
  country: 'CH',
  regulations: ['gdpr'],
  risk: 9,
  confidence: 0.9,
  check: ahvChecks,
  forms: [
    { pattern: String.raw`756\.\d{4}\.\d{4}\.\d\d`, free: true },
    { pattern: String.raw`756 ?\d{4} ?\d{4} ?\d\d` },
  ],
  context: { words: ['ahv', 'avs', 'navs', 'ahv nummer', 'sozialversicherungsnummer'] },
  examples: {
    match: [
      '756.9217.0769.85',
      { text: 'AHV-Nr. 7563048501746', value: '7563048501746' },
      { text: '756 1847 2930 53', field: 'ahvNummer' },
    ],
    not: ['756.9217.0769.86', '7569217076985', '756.1234.5678.97', '755.9217.0769.88', 'AHV 75692170769855'],
  },
});
