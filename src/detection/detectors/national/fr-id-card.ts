import { frenchCardPlausible } from '../../checks/france.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const frIdCard: Detector = formattedId({
  id: 'FR_ID_CARD',
  title: 'French identity card number (CNI)',
  category: 'direct_identifier',
  country: 'FR',
  regulations: ['gdpr'],
  risk: 8,
  plausible: frenchCardPlausible,
  forms: [{ pattern: String.raw`\d{4}[A-Z0-9]{3}\d{5}` }, { pattern: '[A-Z][A-Z0-9]{8}' }],
  context: {
    words: [
      'cni',
      "carte nationale d'identité",
      "carte nationale d'identite",
      "carte d'identité",
      "carte d'identite",
    ],
  },
  examples: {
    match: [
      { text: 'CNI n° 880692310285', value: '880692310285' },
      { text: "Carte d'identite : X4RTBPFW4", value: 'X4RTBPFW4' },
      { text: '140375102847', field: 'cni' },
    ],
    not: ['880692310285', 'CNI 881392310285', 'CNI ABCDEFGHI', 'CNI 8806923102851'],
  },
});
