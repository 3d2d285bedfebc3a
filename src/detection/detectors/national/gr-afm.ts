import { afmChecks } from '../../checks/balkans.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';
import { nativelyLabelled } from '../../families/native-label.ts';

export const grAfm: Detector = nativelyLabelled(
  ['αφμ', 'α.φ.μ.'],
  formattedId({
    id: 'GR_AFM',
    title: 'Greek tax number (AFM)',
    category: 'direct_identifier',
    country: 'GR',
    regulations: ['gdpr'],
    risk: 8,
    check: afmChecks,
    forms: [{ pattern: String.raw`\d{9}` }],
    context: { words: ['afm'] },
    examples: {
      match: [
        { text: 'ΑΦΜ: 094259216', value: '094259216' },
        { text: 'AFM: 094259216', value: '094259216' },
        { text: 'afm 123845715', value: '123845715' },
        { text: '098473629', field: 'afm' },
      ],
      not: ['094259216', 'AFM 094259217', 'AFM 0942592160', 'AFM 000000000'],
    },
  }),
);
