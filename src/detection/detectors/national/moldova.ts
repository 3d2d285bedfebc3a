import { idnpChecks } from '../../checks/national/eastern-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const moldova: readonly Detector[] = [
  formattedId({
    id: 'MD_IDNP',
    title: 'Moldovan personal number (IDNP)',
    category: 'direct_identifier',
    country: 'MD',
    regulations: ['gdpr'],
    risk: 9,
    check: idnpChecks,
    forms: [{ pattern: String.raw`[02]\d{12}` }],
    context: { words: ['idnp', 'cod personal'] },
    examples: {
      match: [
        { text: 'IDNP: 2003600014286', value: '2003600014286' },
        { text: 'idnp 0961203847163', value: '0961203847163' },
        { text: '2008600038410', field: 'idnp' },
      ],
      not: ['2003600014286', 'IDNP 2003600014287', 'IDNP 20036000142860', 'IDNP 0000000000000'],
    },
  }),
];
