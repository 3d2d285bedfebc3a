import { rutChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const chile: readonly Detector[] = [
  formattedId({
    id: 'CL_RUT',
    title: 'Chilean number (RUT, RUN)',
    category: 'direct_identifier',
    country: 'CL',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [
      { pattern: String.raw`\d{1,2}\.\d{3}\.\d{3}-[\dKk]`, free: true },
      { pattern: String.raw`\d{7,8}-[\dKk]` },
      { pattern: String.raw`\d{7,8}[\dKk]` },
    ],
    check: rutChecks,
    context: { words: ['rut', 'run chile', 'rol unico', 'r.u.t.'] },
    examples: {
      match: [
        '15.482.617-3',
        { text: 'RUT: 9.876.543-3', value: '9.876.543-3' },
        { text: '12531909-2', field: 'rut' },
      ],
      not: ['15.482.617-4', '12531909-2', 'RUT 12531909-3', '115.482.617-3', 'RUT 15.482.617'],
    },
  }),
];
