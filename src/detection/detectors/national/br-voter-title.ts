import { voterTitleChecks } from '../../checks/brazil.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const brVoterTitle: Detector = formattedId({
  id: 'BR_VOTER_TITLE',
  title: 'Brazilian voter title',
  category: 'direct_identifier',
  country: 'BR',
  regulations: ['gdpr', 'ccpa'],
  risk: 6,
  forms: [{ pattern: String.raw`\d{4} \d{4} \d{4}` }, { pattern: String.raw`\d{12}` }],
  check: voterTitleChecks,
  context: {
    words: [
      'titulo de eleitor',
      'título de eleitor',
      'titulo eleitoral',
      'título eleitoral',
      'titulo eleitor',
    ],
  },
  examples: {
    match: [
      { text: 'Título de eleitor: 1066 4444 0302', value: '1066 4444 0302' },
      { text: 'titulo de eleitor 384719200213', value: '384719200213' },
      { text: '271936480175', field: 'titulo_eleitor' },
    ],
    not: [
      '1066 4444 0302',
      'Título de eleitor 1066 4444 0303',
      'titulo de eleitor 106644442902',
      '271936480175',
    ],
  },
});
