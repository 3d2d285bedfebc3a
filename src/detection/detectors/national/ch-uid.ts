import { swissUidChecks } from '../../checks/alpine.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const chUid: Detector = formattedId({
  id: 'CH_UID',
  title: 'Swiss company number (UID)',
  category: 'quasi_identifier',
  country: 'CH',
  regulations: ['gdpr'],
  risk: 2,
  check: swissUidChecks,
  forms: [
    { pattern: String.raw`CHE-\d{3}\.\d{3}\.\d{3}`, free: true },
    { pattern: String.raw`CHE[ -]?\d{3}[ .]?\d{3}[ .]?\d{3}` },
  ],
  context: { words: ['uid', 'ide', 'mwst', 'tva', 'iva', 'che'] },
  examples: {
    match: [
      'CHE-109.322.551',
      { text: 'UID CHE109322551', value: 'CHE109322551' },
      { text: 'CHE-116.281.710 MWST', value: 'CHE-116.281.710' },
    ],
    not: ['CHE-109.322.552', 'CHE-000.000.000', 'XCHE-109.322.551', 'CHE109322551'],
  },
});
