import { szemelyiSzamChecks } from '../../checks/hungary.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const huPersonalId: Detector = formattedId({
  id: 'HU_PERSONAL_ID',
  title: 'Hungarian personal identification number',
  category: 'direct_identifier',
  country: 'HU',
  regulations: ['gdpr'],
  risk: 9,
  check: szemelyiSzamChecks,
  forms: [{ pattern: String.raw`[1-8][ -]?\d{6}[ -]?\d{4}` }],
  context: { words: ['szemelyi szam', 'szemelyi azonosito', 'személyi szám', 'szemelyi azonosito'] },
  examples: {
    match: [
      { text: 'Szemelyi szam: 1-840917-2844', value: '1-840917-2844' },
      { text: 'szemelyi azonosito 40206113383', value: '40206113383' },
      { text: '18501011231', field: 'szemelyi_szam' },
    ],
    not: [
      '1-840917-2844',
      'Szemelyi szam 1-840917-2845',
      'Szemelyi szam 1-841317-2844',
      'Szemelyi szam 184091728440',
    ],
  },
});
