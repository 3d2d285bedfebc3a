import { ahvChecks, swissUidChecks } from '../../checks/national/alpine.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const switzerland: readonly Detector[] = [
  formattedId({
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
      not: [
        '756.9217.0769.86',
        '7569217076985',
        '756.1234.5678.97',
        '755.9217.0769.88',
        'AHV 75692170769855',
      ],
    },
  }),
  formattedId({
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
  }),
];
