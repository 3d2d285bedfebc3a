import { afmChecks, amkaChecks } from '../../checks/national/balkans.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';
import { nativelyLabelled } from '../../families/ids/native-label.ts';

export const greece: readonly Detector[] = [
  nativelyLabelled(
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
  ),
  nativelyLabelled(
    ['αμκα', 'α.μ.κ.α.'],
    formattedId({
      id: 'GR_AMKA',
      title: 'Greek social security number (AMKA)',
      category: 'direct_identifier',
      country: 'GR',
      regulations: ['gdpr'],
      risk: 9,
      check: amkaChecks,
      forms: [{ pattern: String.raw`\d{11}` }],
      context: { words: ['amka'] },
      examples: {
        match: [
          { text: 'ΑΜΚΑ 01013099997', value: '01013099997' },
          { text: 'AMKA: 01013099997', value: '01013099997' },
          { text: 'amka 15038429179', value: '15038429179' },
          { text: '28115901341', field: 'amka' },
        ],
        not: ['01013099997', 'AMKA 01013099998', 'AMKA 01133099997', 'AMKA 010130999970'],
      },
    }),
  ),
];
