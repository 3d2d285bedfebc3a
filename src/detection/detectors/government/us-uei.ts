import { ueiChecks } from '../../checks/uei.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

export const usUei: Detector = formattedId({
  id: 'UEI',
  title: 'US unique entity id (SAM)',
  category: 'government',
  country: 'US',
  regulations: [],
  risk: 3,
  forms: [{ pattern: String.raw`[1-9A-HJ-NP-Z][0-9A-HJ-NP-Z]{10}\d`, begins: COMPACT }],
  check: ueiChecks,
  context: { words: ['uei', 'unique entity', 'unique entity id', 'unique entity identifier', 'sam uei'] },
  examples: {
    match: [
      { text: 'UEI: VN1AJFAD19J9', value: 'VN1AJFAD19J9' },
      { text: 'Unique Entity ID ZQGGHJH74DW7', value: 'ZQGGHJH74DW7' },
      { text: 'T53MCMLTWK59', field: 'uei' },
    ],
    not: ['VN1AJFAD19J9', 'UEI VN1AJFAD19J8', 'UEI 0N1AJFAD19J9', 'UEI VN1AJFAD19J', 'UEI VN1OJFAD19J9'],
  },
});
