import { jmbgChecks } from '../../checks/national/balkans.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';
import { nativelyLabelled } from '../../families/ids/native-label.ts';

export const serbia: readonly Detector[] = [
  nativelyLabelled(
    ['јмбг', 'ембг', 'матични број'],
    formattedId({
      id: 'RS_JMBG',
      title: 'JMBG of Serbia, Bosnia, Montenegro and North Macedonia',
      category: 'direct_identifier',
      country: 'RS',
      regulations: ['gdpr'],
      risk: 9,
      check: jmbgChecks,
      forms: [{ pattern: String.raw`\d{7}[0-46-9]\d{5}` }],
      context: {
        words: [
          'jmbg',
          'embg',
          'matični broj',
          'maticni broj',
          'national id',
          'national identification',
          'national identity',
        ],
      },
      examples: {
        match: [
          { text: 'ЈМБГ: 0710003730015', value: '0710003730015' },
          { text: 'JMBG: 0710003730015', value: '0710003730015' },
          { text: 'jmbg 1205984710253', value: '1205984710253' },
          { text: '0303992785120', field: 'jmbg' },
        ],
        not: ['0710003730015', 'JMBG 0710003730016', 'JMBG 3210003730015', 'JMBG 07100037300150'],
      },
    }),
  ),
];
