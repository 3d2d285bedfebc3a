import { guatemalaCuiChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const guatemala: readonly Detector[] = [
  formattedId({
    id: 'GT_CUI',
    title: 'Guatemalan personal code (CUI, DPI)',
    category: 'direct_identifier',
    country: 'GT',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{4} \d{5} \d{4}` }, { pattern: String.raw`\d{13}` }],
    check: guatemalaCuiChecks,
    context: { words: ['cui', 'dpi', 'código único de identificación', 'renap'] },
    examples: {
      match: [
        { text: 'DPI: 1938472640502', value: '1938472640502' },
        { text: 'CUI 2748 29118 0101', value: '2748 29118 0101' },
        { text: '1672839441301', field: 'cui' },
      ],
      not: ['1938472630502', 'DPI 1938472601502', 'CUI 19384726305020', 'dpi 300'],
    },
  }),
];
